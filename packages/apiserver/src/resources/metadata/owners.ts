import { child, type Draft, draftOf, list, sameValue, text } from '../field/read.ts';

/**
 * Drops duplicate owner references. Mirrors dedupOwnerReferencesAndAddWarning (apiserver/pkg/endpoints/handlers/rest.go, 1.36).
 * @returns warnings for the client
 */
export function dropDuplicateOwners(draft: Draft): readonly string[] {
  if (child(draft, 'metadata')['ownerReferences'] === undefined) return none;
  const owners = list(child(draft, 'metadata'), 'ownerReferences');
  const kept = owners.filter((owner, i) => owners.findIndex((each) => sameValue(each, owner)) === i);
  if (kept.length === owners.length) return none;
  draftOf(draft, 'metadata')['ownerReferences'] = kept;
  const uids = owners.filter((owner) => !kept.includes(owner)).map((owner) => text(owner, 'uid'));
  return [`${beginning}${rest}${uids.join(', ')}`];
}

/** The same warning, if admission or a patch added the duplicates. */
export const afterAdmission = (warning: string): string =>
  warning.startsWith(beginning) ? `${beginning} after mutating admission happens${warning.slice(beginning.length)}` : warning;

const none: readonly string[] = [];

const beginning = '.metadata.ownerReferences contains duplicate entries';

const rest: string = [
  '; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24',
  '; please fix your requests; duplicate UID(s) observed: ',
].join('');
