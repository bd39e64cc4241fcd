import type { ApiObject, ObjectList, Reader, Resource, Selection, SteadyClock } from 'kube-endpoints/port';
import { callWithin } from '../../deadline.ts';
import { timeoutError } from './failure.ts';

export interface ListSource {
  readonly port: Pick<Reader, 'list'>;
  readonly clock: SteadyClock;
  readonly resource: Resource;
  readonly selection: Selection;
  readonly signal: AbortSignal;
}

/**
 * Lists what there is at the moment, object by object, and tells the version that it is of. Never from a cache of the server that
 * may lag behind: what is listed is not older than what is known.
 * @param pageSize 0: all at once
 * @throws what the port throws; a timeout where a page does not come; the signal's reason
 */
export async function listAll(source: ListSource, pageSize: number, take: (object: ApiObject) => void): Promise<string> {
  const { resource } = source;
  let version: string | undefined;
  let token: string | undefined;
  do {
    const page = await listPage(source, pageSize, token);
    for (const object of page.items) take(object);
    // All pages are of one version; where they were not, what the later ones left out is told after the first one's.
    version ??= page.metadata.resourceVersion;
    const next = page.metadata.continue || undefined;
    if (next !== undefined && next === token)
      throw new Error(`the list of ${resource.plural} goes round in circles: two pages have one token`);
    token = next;
  } while (token !== undefined);
  // To watch from nowhere in particular would be to miss what happened meanwhile.
  if (!version) throw new Error(`the list of ${resource.plural} has no resourceVersion, so that there is none to watch from`);
  return version;
}

function listPage(
  { port, clock, resource, selection, signal }: ListSource,
  pageSize: number,
  token: string | undefined,
): Promise<ObjectList> {
  const milliseconds = pageSize > 0 ? longestPage : longestWhole;
  const late = (): Error => timeoutError(`the list of ${resource.plural} has not come within ${milliseconds / 1000} s`);
  return callWithin({ clock, milliseconds, signal, late }, (own) =>
    port.list(resource, {
      ...selection,
      ...(pageSize > 0 && { limit: pageSize }),
      ...(token !== undefined && { continue: token }),
      signal: own,
    }),
  );
}

/** As long as kube-apiserver gives a request by default. */
const longestPage = 60_000;
const longestWhole = 300_000;
