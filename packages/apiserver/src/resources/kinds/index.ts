import type { Description } from '../description.ts';
import { createKindDescription } from './description.ts';
import { kindExtensions } from './extensions.ts';
import { kindRows } from './rows.ts';

/** Describes the resources whose strategy is generic. */
export const createKindDescriptions = (): readonly Description[] =>
  kindRows.map((row) => createKindDescription(row, kindExtensions[`${row.resource.plural}.${row.resource.group}`]));
