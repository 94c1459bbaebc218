/** What a person can do with a session. */
export interface Steps {
  readonly command: string;
  readonly shortId: string;
  readonly isBusy: boolean;
  readonly isWaiting: boolean;
  readonly isResumable: boolean;
}

/** Pairs of what to do and the command for it. */
export function nextSteps({
  command,
  shortId,
  isBusy,
  isWaiting,
  isResumable,
}: Steps): readonly (readonly [string, string])[] {
  const steps: (readonly [string, string] | false)[] = [
    isWaiting && ['Answer in your client, or on the page', `${command} open`],
    isBusy && ['Watch it live', `${command} watch ${shortId}`],
    !isBusy && isResumable && ['Continue in this terminal', `${command} resume ${shortId}`],
  ];
  return steps.filter((step) => step !== false);
}
