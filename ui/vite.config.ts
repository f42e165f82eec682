import { defineConfig } from 'vite';

// A development server passes the API on to a running clew (`clew up`, `clew demo`) or to the fixture of the tests.
const api = process.env.CLEW_URL ?? 'http://127.0.0.1:2539';

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    // Nothing may be inlined: the server's content security policy allows its own files and nothing else.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
  server: { proxy: { '/api': api } },
});
