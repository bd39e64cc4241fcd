import { child, type Draft, ensureChild, list, sameValue, text } from '../field/read.ts';

/**
 * Drops duplicate owner references. Mirrors dedupOwnerReferencesAndAddWarning (apiserver/pkg/endpoints/handlers/rest.go, 1.36).
 * @returns warnings for the client
 */
export function dropDuplicateOwners(draft: Draft): readonly string[] {
  if (child(draft, 'metadata')['ownerReferences'] === undefined) return noWarnings;
  const owners = list(child(draft, 'metadata'), 'ownerReferences');
  const uniqueOwners = owners.filter((owner, i) => owners.findIndex((each) => sameValue(each, owner)) === i);
  if (uniqueOwners.length === owners.length) return noWarnings;
  ensureChild(draft, 'metadata')['ownerReferences'] = uniqueOwners;
  const uids = owners.filter((owner) => !uniqueOwners.includes(owner)).map((owner) => text(owner, 'uid'));
  return [`${warningPrefix}${warningAdvice}${uids.join(', ')}`];
}

/** Rewords the warning of `dropDuplicateOwners` for duplicates that admission or a patch added. */
export const rewordAfterAdmission = (warning: string): string =>
  warning.startsWith(warningPrefix) ? `${warningPrefix} after mutating admission happens${warning.slice(warningPrefix.length)}` : warning;

const noWarnings: readonly string[] = [];

const warningPrefix = '.metadata.ownerReferences contains duplicate entries';

const warningAdvice: string = [
  '; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24',
  '; please fix your requests; duplicate UID(s) observed: ',
].join('');
