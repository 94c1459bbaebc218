import type {
  Me,
  PageError,
  PersonAnswer,
  Settlement,
  StreamMessage,
  TimelineEvent,
} from '../../src/page/contract.js';
import type { Link } from './state.js';

/** Everything that changes the state of the page. Times are local. */
export type Action =
  | { readonly type: 'message'; readonly message: StreamMessage; readonly at: number }
  | { readonly type: 'link'; readonly link: Link; readonly at: number }
  | { readonly type: 'tick'; readonly at: number }
  | { readonly type: 'me'; readonly me: Me }
  | { readonly type: 'sent'; readonly answer: PersonAnswer }
  | { readonly type: 'failed'; readonly requestId: string; readonly error: PageError }
  | { readonly type: 'settled'; readonly settlement: Settlement }
  | { readonly type: 'sweep' }
  | { readonly type: 'watch'; readonly sessionId: string | undefined }
  | {
      readonly type: 'older';
      readonly sessionId: string;
      readonly events: readonly TimelineEvent[];
      readonly dropped: number;
    };
