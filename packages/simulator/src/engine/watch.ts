import type { ApiObject } from 'kube-endpoints/port';
import type { Change } from '../controller/controller.ts';

/** A component's watches: each change arrives once, per kind in the order of the writes, after a delay of "watch". */
export interface Watches {
  /**
   * Lists and then watches kinds. The list is delivered as additions before the call returns.
   * @param actor the component, for example "kube-proxy/n2"
   * @param kinds for example "Pod"
   */
  watch(actor: string, kinds: readonly string[], onChange: (change: Change) => void, isSelected?: (object: ApiObject) => boolean): Watch;
}

export interface Watch {
  /** Ends the watch. Changes that are on their way are lost. */
  close(): void;
}
