/** Asking the server, and saying in words what went wrong when it does not answer. */

const BASE = '/api/v1';

/** An answer that is an error, with the server's own words. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The server could not be reached at all. */
export class Unreachable extends Error {}

export function apiUrl(path: string, query = ''): string {
  return query === '' ? BASE + path : `${BASE}${path}?${query}`;
}

export async function getJson<T>(path: string, query = '', signal?: AbortSignal): Promise<T> {
  const response = await ask(apiUrl(path, query), signal);
  if (!response.ok) throw new ApiError(response.status, await wordsOf(response));
  return (await response.json()) as T;
}

async function ask(url: string, signal?: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, { headers: { accept: 'application/json' }, ...(signal ? { signal } : {}) });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new Unreachable('the server does not answer: is clew still running? The page tries again by itself');
  }
}

/** Brings a token and has it kept; whether it was the right one. */
export async function bringToken(token: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}`, 'clew-keep-token': '1' };
  // Whoever may look at all may list journeys; the status is for some.
  const response = await fetch(apiUrl('/journeys?limit=1'), { headers });
  if (response.status === 401) return false;
  if (!response.ok) throw new ApiError(response.status, await wordsOf(response));
  return true;
}

async function wordsOf(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && 'error' in body) return String(body.error);
  } catch {
    // Not JSON: a proxy between us and the server answered.
  }
  return `${response.status} ${response.statusText || text.slice(0, 200)}`;
}
