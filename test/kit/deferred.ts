export type Deferred<T> = { readonly promise: Promise<T>; readonly resolve: (value: T) => void };

/** A promise that is settled from outside. Node 20 has no `Promise.withResolvers`. */
export function deferred<T = void>(): Deferred<T> {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
