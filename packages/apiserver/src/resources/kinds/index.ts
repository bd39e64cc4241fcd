import type { Description } from '../description.ts';
import { createKindDescription } from './description.ts';
import { kindExtensions } from './extensions.ts';
import { rbacColumns } from './rbac.ts';
import { type KindRow, kindRows } from './rows.ts';

/** Describes the resources whose strategy is generic. */
export const createKindDescriptions = (): readonly Description[] => kindRows.map(createDescription);

function createDescription(row: KindRow): Description {
  const key = `${row.resource.plural}.${row.resource.group}`;
  return createKindDescription(row, kindExtensions[key], rbacColumns[key]);
}
