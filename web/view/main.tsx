import { render } from 'preact';
import { emptyState, ViewDesk, type ViewState } from './desk.js';
import { connectHost } from './host.js';
import { View } from './view.js';

const place = document.getElementById('view');

const host = await connectHost({
  // The host sends it once the view is connected.
  onInput({ sessionId }) {
    if (typeof sessionId === 'string') void desk.select(sessionId);
  },
});
const show = (state: ViewState): void => {
  if (place !== null) render(<View desk={desk} state={state} canOpenLinks={host.can.openLinks} />, place);
};
const desk = new ViewDesk(host, show);
show(emptyState);
await desk.run();
