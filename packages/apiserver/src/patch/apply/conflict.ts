import { quote } from 'kube-endpoints/internal';
import type { ApiError } from 'kube-endpoints/port';
import { applyConflict } from '../errors.ts';
import { compareText } from '../json.ts';
import { pathsOf } from './field-set.ts';
import { infoOf } from './managed-fields.ts';
import { pathText } from './path-element.ts';
import type { Conflicts } from './updater.ts';

/** The 409 that names each field and its manager: `NewConflictError` (1.36, apimachinery/pkg/util/managedfields/internal/conflict.go). */
export function conflictError({ sets }: Conflicts): ApiError {
  const byManager = [...sets]
    .sort(([left], [right]) => compareText(left, right))
    .map(([manager, set]) => ({ who: describe(manager), fields: pathsOf(set).map((path) => pathText(path)) }));
  const found = byManager.flatMap(({ who, fields }) => fields.map((field) => ({ who, field })));
  const causes = found.map(({ who, field }) => ({ reason: 'FieldManagerConflict', message: `conflict with ${who}`, field }));
  const list = byManager.flatMap(({ who, fields }) => [`conflicts with ${who}:`, ...fields.map((field) => `- ${field}`)]).join('\n');
  const message =
    found.length === 1 ? `1 conflict: conflict with ${found[0]?.who}: ${found[0]?.field}` : `${found.length} conflicts: ${list}`;
  return applyConflict(`Apply failed with ${message}`, causes);
}

function describe(identifier: string): string {
  const { manager = '', operation, apiVersion, subresource } = infoOf(identifier);
  const name = quote(manager) + (subresource ? ` with subresource ${quote(subresource)}` : '');
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}
