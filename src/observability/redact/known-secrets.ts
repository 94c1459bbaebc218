import { mask } from '../../core/observability/mask.js';
import { formsOf } from './secret-forms.js';
import { SecretIndex } from './secret-index.js';
import { minSecretChars } from './secret-values.js';

/** How much of the secrets from callers to remember. The oldest are dropped first. */
const maxLearnt = 4_000;
const maxLearntChars = 500_000;

/**
 * Base64 that a tool has wrapped into lines, which are joined before the search. Matches only at the start of a run, so
 * the time stays linear.
 */
const wrappedBase64 = /(?<![A-Za-z\d+/_-])[A-Za-z\d+/_-]{60,}(?:\r?\n[A-Za-z\d+/_-]+)+={0,2}/g;

const toMask = (_found: string): string => mask;

/** After so many secrets that only begin like a text, masks what they have in common with it. */
const manySteps = 8;

/** Finds known secrets in all their encodings. Learning costs what is learnt, not what is known already. */
export class KnownSecrets {
  readonly #fixed: ReadonlySet<string>;
  /** With their forms. */
  readonly #learnt = new Map<string, readonly string[]>();
  #learntChars = 0;
  readonly #index = new SecretIndex();
  /** The fixed secrets are indexed before the first search, because many programs end without one. */
  #isPrepared = false;

  constructor(fixed: Iterable<string>) {
    this.#fixed = new Set(fixed);
  }

  /** Whether one of them was not known. */
  learn(secrets: Iterable<string>): boolean {
    let isNew = false;
    for (const secret of secrets) if (!this.#fixed.has(secret)) isNew = this.#note(secret) || isNew;
    for (const [oldest, forms] of this.#learnt) {
      if (this.#learnt.size <= maxLearnt && this.#learntChars <= maxLearntChars) break;
      this.#learnt.delete(oldest);
      this.#learntChars -= oldest.length;
      for (const form of forms) this.#index.remove(form);
    }
    return isNew;
  }

  redact(text: string): string {
    if (text.length < minSecretChars) return text;
    return this.#replaceIn(hasWrappedLine(text) ? this.#replaceWrapped(text) : text);
  }

  /** Replaces complete secrets and nothing around them, not even in wrapped base64. */
  replaceEach(text: string, replacement: (found: string) => string): string {
    return this.#replaceIn(text, replacement, Number.POSITIVE_INFINITY);
  }

  /** As the newest. Returns whether it was not known. */
  #note(secret: string): boolean {
    const known = this.#learnt.get(secret);
    const forms = known ?? searchedFormsOf(secret);
    this.#learnt.delete(secret);
    this.#learnt.set(secret, forms);
    if (known !== undefined) return false;
    this.#learntChars += secret.length;
    for (const form of forms) this.#index.add(form);
    return true;
  }

  #replaceWrapped(text: string): string {
    return text.replace(wrappedBase64, (block) => {
      const joined = block.replace(/\r?\n/g, '');
      return this.#replaceIn(joined) === joined ? block : mask;
    });
  }

  #replaceIn(text: string, replacement = toMask, maxSteps = manySteps): string {
    if (!this.#isPrepared) {
      this.#isPrepared = true;
      for (const form of [...this.#fixed].flatMap(searchedFormsOf)) this.#index.add(form);
    }
    let kept = '';
    let done = 0;
    for (let place; (place = this.#index.next(text, done, maxSteps)) !== undefined; done = place.end)
      kept += text.slice(done, place.index) + replacement(text.slice(place.index, place.end));
    return done === 0 ? text : kept + text.slice(done);
  }
}

/** Without forms that could match inside the mask itself. */
function searchedFormsOf(secret: string): string[] {
  return formsOf(secret).filter((form) => !mask.includes(form));
}

/** Whether a line ends like wrapped base64. A cheap test that rules out most texts. */
function hasWrappedLine(text: string): boolean {
  for (let from = 0, end = text.indexOf('\n'); end >= 0; from = end + 1, end = text.indexOf('\n', from)) {
    if (end - from >= 60 && /[A-Za-z\d+/_-]{60}\r?$/.test(text.slice(Math.max(from, end - 61), end)))
      return true;
  }
  return false;
}
