import { render } from 'preact';
import { emptyState, ViewDesk } from './desk.js';
import { connectHost } from './host.js';
import { View } from './view.js';

const place = document.getElementById('view');
let sessionId: string | undefined;

const host = await connectHost({
  onInput: ({ sessionId: chosen }) => (sessionId = typeof chosen === 'string' ? chosen : undefined),
});
const desk = new ViewDesk(host, sessionId, (state) => {
  if (place !== null) render(<View desk={desk} state={state} canOpenLinks={host.can.openLinks} />, place);
});
if (place !== null) render(<View desk={desk} state={emptyState} canOpenLinks={false} />, place);
await desk.run();
