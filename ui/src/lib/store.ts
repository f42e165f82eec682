/** A value that several components share, and that may outlive the page in the browser's storage. */

import { useEffect, useState } from 'preact/hooks';

export interface Shared<T> {
  get(): T;
  set(value: T): void;
  subscribe(listener: () => void): () => void;
}

export function shared<T>(initial: T): Shared<T> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return;
      current = value;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** One of a few words, kept in the browser's storage under a name. */
export function persisted<T extends string>(name: string, allowed: readonly T[], fallback: T): Shared<T> {
  const found = allowed.find((word) => word === readStorage(name));
  const store = shared(found ?? fallback);
  store.subscribe(() => writeStorage(name, store.get()));
  return store;
}

export function useShared<T>(store: Shared<T>): T {
  const [value, setValue] = useState(store.get());
  useEffect(() => {
    setValue(store.get());
    return store.subscribe(() => setValue(store.get()));
  }, [store]);
  return value;
}

// Storage throws where the user has forbidden it; the page then forgets, and works.
function readStorage(name: string): string | null {
  try {
    return localStorage.getItem(`clew.${name}`);
  } catch {
    return null;
  }
}

function writeStorage(name: string, value: string): void {
  try {
    localStorage.setItem(`clew.${name}`, value);
  } catch {
    return;
  }
}
