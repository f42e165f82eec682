import { render } from 'preact';
import { App } from './app';
import { followTheme } from './lib/settings';
import './styles/base.css';
import './styles/shell.css';
import './styles/changes.css';
import './styles/filters.css';
import './styles/lines.css';

followTheme();
const target = document.getElementById('app');
if (target) render(<App />, target);
