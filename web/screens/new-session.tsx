import { useEffect, useState } from 'preact/hooks';
import type { NewSession, PageError } from '../../src/page/contract.js';
import { modeName } from '../inbox/words.js';
import { errorOf } from '../live/calls.js';
import { useDesk, useDeskState } from '../live/context.js';
import { navigate } from '../live/routes.js';
import { dollars } from '../../src/core/text/dollars.js';
import { Failed } from '../parts/failed.js';
import { StaleNote } from '../parts/stale-note.js';

const noteId = 'start-stale';

export function NewSessionForm() {
  const desk = useDesk();
  const me = useDeskState((state) => state.me);
  const isStale = useDeskState((state) => state.isStale);
  const [prompt, setPrompt] = useState('');
  const [folder, setFolder] = useState(me?.defaultFolder ?? '');
  const [mode, setMode] = useState('');
  const [budget, setBudget] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<PageError>();
  const budgetUsd = budget === '' ? undefined : Number(budget);
  const isComplete =
    prompt.trim() !== '' && folder.trim() !== '' && (budgetUsd === undefined || budgetUsd > 0);
  const isReady = isComplete && !isBusy && !isStale;

  const start = (): void => {
    if (!isReady) return;
    const input: NewSession = {
      prompt,
      folder: folder.trim(),
      ...(mode !== '' && { mode }),
      ...(budgetUsd !== undefined && { budgetUsd }),
    };
    setBusy(true);
    setError(undefined);
    void desk
      .call('start', input)
      .then(({ sessionId }) => navigate({ screen: 'session', sessionId }, { replace: true }))
      .catch((thrown: unknown) => {
        setError(errorOf(thrown));
        setBusy(false);
      });
  };
  return (
    <div class="page">
      <h1>New session</h1>
      <form
        class="panel form"
        onSubmit={(event) => {
          event.preventDefault();
          start();
        }}
      >
        <label>
          <span class="label">What should Claude do?</span>
          <textarea
            rows={6}
            required
            value={prompt}
            onInput={(event) => setPrompt(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat) start();
            }}
          />
        </label>
        <FolderField folder={folder} onFolder={setFolder} />
        <div class="columns">
          <label>
            <span class="label">Mode</span>
            <select value={mode} onChange={(event) => setMode(event.currentTarget.value)}>
              <option value="">As configured</option>
              {me?.modes.map((name) => (
                <option key={name} value={name}>
                  {modeName(name)}
                </option>
              ))}
            </select>
          </label>
          <label>
            <span class="label">Budget in US dollars, optional</span>
            <input
              type="number"
              inputmode="decimal"
              min="0.01"
              step="0.01"
              value={budget}
              onInput={(event) => setBudget(event.currentTarget.value)}
            />
          </label>
        </div>
        {me?.budgetTodayUsd !== undefined && (
          <p class="muted">
            {dollars(me.budgetTodayUsd.spent)} of {dollars(me.budgetTodayUsd.limit)} spent today.
          </p>
        )}
        {error !== undefined && <Failed error={error} />}
        {isStale && <StaleNote id={noteId} actions="You can start a session" />}
        <button
          type="submit"
          class="button primary"
          aria-disabled={!isReady}
          {...(isStale && { 'aria-describedby': noteId })}
        >
          {isBusy ? 'Starting…' : 'Start the session'}
        </button>
      </form>
    </div>
  );
}

interface FolderFieldProps {
  readonly folder: string;
  readonly onFolder: (folder: string) => void;
}

/** Suggests folders in which a session may start. */
function FolderField({ folder, onFolder }: FolderFieldProps) {
  const desk = useDesk();
  const [folders, setFolders] = useState<readonly string[]>([]);
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => {
      void desk
        .call('folders', { begin: folder })
        .then((found) => isCurrent && setFolders(found.folders))
        .catch(() => undefined);
    }, 150);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [folder]);
  return (
    <label>
      <span class="label">Folder</span>
      <input
        type="text"
        class="mono"
        required
        list="folders"
        spellcheck={false}
        autocapitalize="off"
        value={folder}
        onInput={(event) => onFolder(event.currentTarget.value)}
      />
      <datalist id="folders">
        {folders.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
    </label>
  );
}
