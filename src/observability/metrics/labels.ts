/** What models are called; no path, and no sentence. */
const modelName = /^[A-Za-z0-9][\w.:@-]{0,63}(\[\w{1,8}\])?$/;
/** More than anybody uses, and few enough for a registry to bear. */
const maxModels = 20;

/** The names of the first models, and one name for all the rest: callers and gateways can make up any number. */
export class ModelLabels {
  readonly #known = new Set<string>();

  of(model: string): string {
    if (this.#known.has(model)) return model;
    if (this.#known.size >= maxModels || !modelName.test(model)) return 'other';
    this.#known.add(model);
    return model;
  }
}

/** The status of an HTTP error; anything else would be an invention of whoever answered. */
export function statusLabel(status: number | undefined): string {
  if (status === undefined) return 'connection';
  return Number.isInteger(status) && status >= 400 && status < 600 ? String(status) : 'other';
}
