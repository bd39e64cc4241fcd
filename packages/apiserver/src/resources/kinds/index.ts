import type { Description } from '../description.ts';
import { autoscalingV1Extension } from './autoscaling/index.ts';
import { createKindDescription, type KindExtension } from './description.ts';
import { kindExtensions } from './extensions.ts';
import { type KindRow, kindRows } from './rows.ts';
import { tableColumnsOf } from './tables/index.ts';

/** Describes the resources whose strategy is generic. */
export const createKindDescriptions = (): readonly Description[] =>
  kindRows.map((row) => createKindDescription(row, extensionOf(row), tableColumnsOf(row.resource.kind)));

function extensionOf({ resource: { group, version, plural } }: KindRow): KindExtension {
  const extension = kindExtensions[`${plural}.${group}`] ?? {};
  return group === 'autoscaling' && version === 'v1' ? { ...extension, ...autoscalingV1Extension } : extension;
}
