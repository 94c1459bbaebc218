import type { CallName, Calls, PageError } from '../../src/page/contract.js';

export type Call = <Name extends CallName>(
  name: Name,
  input: Calls[Name]['input'],
) => Promise<Calls[Name]['output']>;

class CallFailed extends Error {
  readonly error: PageError;

  constructor(error: PageError) {
    super(error.message);
    this.name = 'CallFailed';
    this.error = error;
  }
}

interface CallOptions {
  readonly readKey: () => string | undefined;
  readonly onSignedOut: () => void;
}

export function createCall({ readKey, onSignedOut }: CallOptions): Call {
  return async (name, input) => {
    const response = await post(`/api/${name}`, input, readKey());
    const answer = await readAnswer(response);
    // The server checks what it sends against the same contract.
    const output: unknown = answer;
    if (response.ok && !('error' in answer)) return output as Calls[typeof name]['output'];
    const error = 'error' in answer ? (answer.error as PageError) : unreadable(response.status);
    if (error.reason === 'signed_out' && name !== 'pair' && name !== 'signIn') onSignedOut();
    throw new CallFailed(error);
  };
}

export function errorOf(thrown: unknown): PageError {
  if (thrown instanceof CallFailed) return thrown.error;
  return { reason: 'page_failed', message: 'This page failed. Reload it and try again.' };
}

async function post(address: string, input: unknown, key: string | undefined): Promise<Response> {
  try {
    return await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key !== undefined && { 'page-key': key }) },
      body: JSON.stringify(input),
      cache: 'no-store',
    });
  } catch {
    throw new CallFailed({
      reason: 'unreachable',
      message: 'The server cannot be reached. Check that it is running, then try again.',
    });
  }
}

async function readAnswer(response: Response): Promise<object> {
  try {
    const answer: unknown = await response.json();
    if (typeof answer === 'object' && answer !== null) return answer;
  } catch {
    // Handled below: the answer is not JSON.
  }
  return { error: unreadable(response.status) };
}

function unreadable(status: number): PageError {
  if (status === 401) return { reason: 'signed_out', message: 'This device is signed out.' };
  if (status === 429) {
    return { reason: 'rate_limited', message: 'Too many attempts. Wait a minute, then try again.' };
  }
  return {
    reason: 'unreadable',
    message: `The server sent an answer that this page cannot read (status ${status}). Reload the page.`,
  };
}
