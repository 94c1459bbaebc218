import { useEffect, useState } from 'preact/hooks';

export interface Store<State, Action> {
  readonly get: () => State;
  readonly dispatch: (action: Action) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export function createStore<State, Action>(
  reduce: (state: State, action: Action) => State,
  initial: State,
): Store<State, Action> {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    dispatch: (action) => {
      const next = reduce(state, action);
      if (next === state) return;
      state = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Renders again only if the selected part is another object. */
export function useSelected<State, Action, Part>(
  store: Store<State, Action>,
  select: (state: State) => Part,
): Part {
  const part = select(store.get());
  const [, render] = useState(0);
  useEffect(() => {
    let last = part;
    const check = (): void => {
      const now = select(store.get());
      if (now === last) return;
      last = now;
      render((count) => count + 1);
    };
    check();
    return store.subscribe(check);
  }, [store, select, part]);
  return part;
}
