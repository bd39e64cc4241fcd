import type { ApiObject } from 'kube-endpoints/port';
import { type DataOptions, openFolder } from '../../src/data/index.ts';
import { createStore, type Store, type StoreOptions } from '../../src/store/index.ts';
import { nodes, pod, pods } from '../store/support.ts';
import type { Disk } from './disk.ts';

export interface OpenStore {
  readonly store: Store;
  close(): Promise<void>;
  waitUntilCompacted(): Promise<void>;
}

/** Opens the store on a disk as an API server does. */
export async function openStore(
  { folder }: Pick<Disk, 'folder'>,
  options: DataOptions & Pick<StoreOptions, 'maxEvents'> = {},
): Promise<OpenStore> {
  const { saved, journal } = await openFolder(folder, options);
  const { maxEvents } = options;
  const store = createStore({ journal, ...(saved && { saved }), ...(maxEvents !== undefined && { maxEvents }) });
  journal.attach(() => store.capture());
  return { store, close: () => journal.close(), waitUntilCompacted: () => journal.waitUntilCompacted() };
}

/** The content of a store as text: its revision and objects. */
export function describeStore(store: Store): string {
  const items = [...store.list(pods).items, ...store.list(nodes).items];
  return `${store.revision}: ${items.map(describeObject).join(' ')}`;
}

const describeObject = ({ metadata: { name, labels = {}, resourceVersion } }: ApiObject): string =>
  `${name}@${resourceVersion}${labels['app'] ? `=${labels['app']}` : ''}`;

const key = (name: string): { readonly namespace: string; readonly name: string } => ({ namespace: 'default', name });

/** Creates, changes or removes a pod, depending on what exists and on the number. */
export function writePod(store: Store, name: string, number: number): void {
  if (!store.find(pods, key(name))) store.create(pods, key(name), pod(name, { app: `v${number}` }));
  else if (number % 5 === 0) store.delete(pods, key(name));
  else store.update(pods, key(name), () => pod(name, { app: `v${number}` }));
}
