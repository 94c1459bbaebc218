import { modeName } from './words.js';

interface NextModeProps {
  readonly requestId: string;
  readonly modes: readonly string[];
  readonly mode: string;
  readonly onMode: (mode: string) => void;
}

/** How the session continues once its plan is approved. */
export function NextMode({ requestId, modes, mode, onMode }: NextModeProps) {
  return (
    <fieldset class="question next-mode">
      <legend>
        <span class="text">After approval</span>
      </legend>
      {modes.map((name) => (
        <label key={name} class="option">
          <input
            type="radio"
            name={`mode-${requestId}`}
            checked={name === mode}
            onChange={() => onMode(name)}
          />
          <span>
            <strong>{modeName(name)}</strong>
            <span class="muted mono">{name}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
