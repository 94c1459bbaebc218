import { render } from 'preact';
import { emptyState, ViewDesk, type ViewState } from './desk.js';
import { connectHost } from './host.js';
import { View } from './view.js';

const place = document.getElementById('view');

/** The session of the call, from a host that names it before the view is connected. */
let early: string | undefined;
let select = (sessionId: string): void => void (early = sessionId);
const host = await connectHost({
  onInput({ sessionId }) {
    if (typeof sessionId === 'string') select(sessionId);
  },
});
const show = (state: ViewState): void => {
  if (place !== null) render(<View desk={desk} state={state} canOpenLinks={host.can.openLinks} />, place);
};
const desk = new ViewDesk(host, show);
select = (sessionId) => void desk.select(sessionId);
show(emptyState);
await desk.run(early);
