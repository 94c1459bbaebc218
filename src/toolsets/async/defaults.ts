export const defaultWaitMs = 30_000;
export const defaultMaxEvents = 50;
