import { render } from 'preact';
import { createDesk } from '../live/desk.js';
import { navigate } from '../live/routes.js';
import { App } from './app.js';

const place = document.getElementById('page');
const desk = createDesk((requestId) => navigate({ screen: 'inbox', requestId }));
if (place !== null) render(<App desk={desk} />, place);
