/** Why a session runs without the settings of its folder, and how to change that. */
export const trustHint =
  'skipped: folder not trusted (run `claude` there once, or let the operator list it in TRUSTED_ROOTS)';
