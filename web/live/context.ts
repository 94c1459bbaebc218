import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Desk } from './desk.js';
import type { State } from './state.js';
import { useSelected } from './store.js';

const DeskContext = createContext<Desk | undefined>(undefined);

export const DeskProvider = DeskContext.Provider;

export function useDesk(): Desk {
  const desk = useContext(DeskContext);
  if (desk === undefined) throw new Error('No desk above this component.');
  return desk;
}

export function useDeskState<Part>(select: (state: State) => Part): Part {
  return useSelected(useDesk().store, select);
}
