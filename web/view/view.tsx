import type { SessionRow } from '../../src/page/contract.js';
import { RequestCard } from '../inbox/card.js';
import { Button } from '../parts/button.js';
import { Markdown } from '../texts/markdown.js';
import { Cost, StatusTag } from '../parts/status.js';
import { VisibleText } from '../texts/visible-text.js';
import type { ViewDesk, ViewState } from './desk.js';

interface ViewProps {
  readonly desk: ViewDesk;
  readonly state: ViewState;
  readonly canOpenLinks: boolean;
}

/** Open requests first, then the session that the model has chosen, then the others. */
export function View({ desk, state, canOpenLinks }: ViewProps) {
  const { requests, moreRequests, pages, hasRefusedLink, sessions, session, result, problem } = state;
  return (
    <main class="view">
      {problem !== undefined && (
        <p class="view-problem" role="alert">
          <VisibleText text={problem} />
        </p>
      )}
      {requests.map((request) => {
        const { requestId } = request.card;
        const page = pages.get(requestId);
        return (
          <section class="view-request" key={requestId}>
            <RequestCard
              request={request}
              skew={0}
              device={undefined}
              isStale={false}
              hasKeys={false}
              onAnswer={(answer) => void desk.answer(answer)}
            />
            {page !== undefined && (
              <OnPage url={page} canOpen={canOpenLinks && !hasRefusedLink} desk={desk} />
            )}
          </section>
        );
      })}
      {moreRequests > 0 && (
        <p class="view-empty">
          {moreRequests === 1
            ? '1 more request is open. It appears'
            : `${moreRequests} more requests are open. They appear`}{' '}
          here when you have answered these.
        </p>
      )}
      {session !== undefined && <SessionSummary session={session} result={result} />}
      <SessionRows sessions={sessions} onSelect={(id) => void desk.select(id)} />
    </main>
  );
}

/** A view cannot prove that a person clicked, so people approve on the page. */
function OnPage({ url, canOpen, desk }: { url: string; canOpen: boolean; desk: ViewDesk }) {
  return (
    <div class="view-page">
      <p>Only a person may approve this request, on the page of this server.</p>
      {canOpen ? (
        <Button look="primary" onPress={() => void desk.openPage(url)}>
          Open the page
        </Button>
      ) : (
        <code>{url}</code>
      )}
    </div>
  );
}

function SessionSummary({ session, result }: { session: SessionRow; result: string | undefined }) {
  return (
    <section class="view-session" aria-label="Session">
      <h2>
        <VisibleText text={session.title} />
      </h2>
      <p class="view-facts">
        <StatusTag status={session.status} />
        <Cost costUsd={session.costUsd} {...(session.budgetUsd === undefined ? {} : session)} />
        <span class="mono">{session.folder}</span>
      </p>
      {session.activity !== undefined && <p>{session.activity}</p>}
      {result !== undefined && <Markdown text={result} />}
    </section>
  );
}

function SessionRows({
  sessions,
  onSelect,
}: {
  sessions: readonly SessionRow[];
  onSelect: (sessionId: string) => void;
}) {
  if (sessions.length === 0) return <p class="view-empty">There are no sessions.</p>;
  return (
    <ul class="view-sessions" aria-label="Sessions">
      {sessions.map((row) => (
        <li key={row.sessionId}>
          <button type="button" onClick={() => onSelect(row.sessionId)}>
            <StatusTag status={row.status} />
            <span class="view-title">
              <VisibleText text={row.title} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
