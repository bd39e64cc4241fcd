/** Which Services this replica is responsible for at the moment: all where it leads, some where they are shared out. */
export interface Ownership {
  /** Whether the Service of this key is to be synced and written by this replica. Asked again right before each write. */
  owns(key: string): boolean;
  /** Calls back whenever the answer may have become another one, so that what is newly owned is synced. Returns how to stop. */
  onChange(listener: () => void): () => void;
}

/** A replica that is alone. */
export const ownsAll: Ownership = { owns: () => true, onChange: () => () => {} };
