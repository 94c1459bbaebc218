import { configureGlobal } from 'fast-check';

/** The same cases in every run, so that a failure is a change of ours. `FC_SEED=random` explores new ones. */
const seed = process.env['FC_SEED'] ?? '20261116';

if (seed !== 'random') configureGlobal({ seed: Number(seed) });
