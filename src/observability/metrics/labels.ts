/** Accepts model names, but no paths and no sentences. */
const modelName = /^[A-Za-z0-9][\w.:@-]{0,63}(\[\w{1,8}\])?$/;
/** Every label value stays in memory until the server exits. */
const maxModels = 20;

/**
 * Keeps the first model names and maps the rest to `other`, because callers and gateways can invent any number of
 * names.
 */
export class ModelLabels {
  readonly #known = new Set<string>();

  of(model: string): string {
    if (this.#known.has(model)) return model;
    if (this.#known.size >= maxModels || !modelName.test(model)) return 'other';
    this.#known.add(model);
    return model;
  }
}

/** Only HTTP error statuses become labels, because a gateway can return any number. */
export function statusLabel(status: number | undefined): string {
  if (status === undefined) return 'connection';
  return Number.isInteger(status) && status >= 400 && status < 600 ? String(status) : 'other';
}
