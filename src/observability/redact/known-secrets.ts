import { mask } from '../../core/observability/mask.js';
import { FormIndex } from './form-index.js';
import { formsOf } from './secret-forms.js';
import { minSecretChars } from './secret-values.js';

/** The number of secrets from callers to remember. The oldest are dropped first. */
const maxLearnt = 4_000;

/**
 * Base64 that a tool has wrapped into lines, which are joined before the search. Matches only at the start of a run, so
 * the time stays linear.
 */
const wrappedBase64 = /(?<![A-Za-z\d+/_-])[A-Za-z\d+/_-]{60,}(?:\r?\n[A-Za-z\d+/_-]+)+={0,2}/g;

const toMask = (): string => mask;

/** Finds known secrets in all their encodings. */
export class KnownSecrets {
  readonly #fixed: ReadonlySet<string>;
  readonly #learnt = new Set<string>();
  /** All forms, by their first characters. */
  #forms: ReadonlyMap<string, FormIndex> = new Map();
  /** Matches the first characters of every form. Undefined when there are no secrets, or a new one was added. */
  #beginnings: RegExp | undefined;
  #isStale = true;

  constructor(fixed: Iterable<string>) {
    this.#fixed = new Set(fixed);
  }

  learn(secrets: Iterable<string>): void {
    for (const secret of secrets) {
      if (this.#fixed.has(secret)) continue;
      if (!this.#learnt.delete(secret)) this.#isStale = true;
      this.#learnt.add(secret);
    }
    for (const oldest of this.#learnt) {
      if (this.#learnt.size <= maxLearnt) break;
      this.#learnt.delete(oldest);
    }
  }

  redact(text: string): string {
    if (this.#isStale) this.#compile();
    if (this.#beginnings === undefined || text.length < minSecretChars) return text;
    return this.#replaceIn(hasWrappedLine(text) ? this.#replaceWrapped(text) : text);
  }

  /** Replaces the secrets and nothing around them, not even in wrapped base64. */
  replaceEach(text: string, replacement: (found: string) => string): string {
    if (this.#isStale) this.#compile();
    return this.#replaceIn(text, replacement);
  }

  #replaceWrapped(text: string): string {
    return text.replace(wrappedBase64, (block) => {
      const joined = block.replace(/\r?\n/g, '');
      return this.#replaceIn(joined) === joined ? block : mask;
    });
  }

  #replaceIn(text: string, replacement: (found: string) => string = toMask): string {
    const beginnings = this.#beginnings;
    if (beginnings === undefined) return text;
    let kept = '';
    let done = 0;
    beginnings.lastIndex = 0;
    for (let found = beginnings.exec(text); found !== null; found = beginnings.exec(text)) {
      const { index } = found;
      const form = this.#forms.get(found[0])?.find(text, index);
      if (form === undefined) {
        beginnings.lastIndex = index + 1;
        continue;
      }
      kept += text.slice(done, index) + replacement(form);
      done = index + form.length;
      beginnings.lastIndex = done;
    }
    return done === 0 ? text : kept + text.slice(done);
  }

  /** One short pattern for all forms. A pattern of complete forms would exceed the limit of the engine. */
  #compile(): void {
    this.#isStale = false;
    const groups = new Map<string, string[]>();
    for (const secret of [...this.#fixed, ...this.#learnt]) {
      // Otherwise a form could match inside the mask itself.
      for (const form of formsOf(secret)) if (!mask.includes(form)) addTo(groups, form);
    }
    this.#forms = new Map([...groups].map(([beginning, forms]) => [beginning, new FormIndex(forms)]));
    const beginnings = [...this.#forms.keys()].map(escapeForPattern);
    this.#beginnings = beginnings.length === 0 ? undefined : new RegExp(beginnings.join('|'), 'g');
  }
}

function addTo(groups: Map<string, string[]>, form: string): void {
  const beginning = form.slice(0, minSecretChars);
  const others = groups.get(beginning);
  if (others === undefined) groups.set(beginning, [form]);
  else others.push(form);
}

/** Whether a line ends like wrapped base64. A cheap test that rules out most texts. */
function hasWrappedLine(text: string): boolean {
  for (let from = 0, end = text.indexOf('\n'); end >= 0; from = end + 1, end = text.indexOf('\n', from)) {
    if (end - from >= 60 && /[A-Za-z\d+/_-]{60}\r?$/.test(text.slice(Math.max(from, end - 61), end)))
      return true;
  }
  return false;
}

function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
