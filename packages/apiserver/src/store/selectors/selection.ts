import {
  createRequirementsMatcher,
  type LabelRequirement,
  type Labels,
  parseLabelSelector,
  quote,
  type Selection,
} from 'kube-endpoints/internal/apimachinery';
import type { ApiObject, Resource } from 'kube-endpoints/port';
import { badRequest } from '../errors.ts';
import { type FieldRequirement, parseFieldSelector } from './field-selector.ts';

/** The fields of a resource, besides name and namespace, that a field selector may use. */
export interface SelectableFields {
  /** Reads the value of each field by its name in the selector. */
  readonly fields: Readonly<Record<string, (object: ApiObject) => string>>;
  /** Alternative names, for example "spec.host" for "spec.nodeName". */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Message for an unsupported field. Default "field label not supported: …". */
  readonly refusal?: (field: string) => string;
}

export interface Predicate {
  matches(object: ApiObject): boolean;
  /** True if there is no selector: all objects match. */
  readonly matchesAll: boolean;
  /** The only name and namespace that can match, if known. */
  readonly name?: string;
  readonly namespace?: string;
}

/** Parsed selectors whose fields are not resolved yet. */
interface ParsedSelection {
  readonly labels: readonly LabelRequirement[];
  readonly fields: readonly FieldRequirement[];
}

/** Parses the selectors. @throws ApiError BadRequest */
export function parseSelection({ labelSelector, fieldSelector }: Selection): ParsedSelection {
  const labels = parseLabelSelector(labelSelector ?? '');
  if (labels.problem !== undefined) throw badRequest(labels.problem);
  const fields = parseFieldSelector(fieldSelector ?? '');
  if (fields.problem !== undefined) throw badRequest(fields.problem);
  return { labels: labels.requirements, fields: fields.requirements };
}

/** Compiles a selection. @throws ApiError BadRequest if a field is not selectable */
export function compilePredicate(selection: ParsedSelection, resource: Resource, selectable: SelectableFields | undefined): Predicate {
  const fieldTests = selection.fields.map((requirement) => createFieldTest(requirement, resource, selectable));
  const matchesAll = selection.labels.length === 0 && fieldTests.length === 0;
  const matchesLabels = createRequirementsMatcher(selection.labels);
  const exactValue = (field: string): string | undefined => fieldTests.find((test) => test.field === field && test.equal)?.value;
  const name = exactValue('metadata.name');
  const namespace = exactValue('metadata.namespace');
  return {
    matchesAll,
    matches: (object) =>
      matchesAll || (matchesLabels(object.metadata.labels ?? noLabels) && fieldTests.every((test) => test.matches(object))),
    ...(name !== undefined && { name }),
    ...(namespace !== undefined && { namespace }),
  };
}

const noLabels: Labels = {};

interface FieldTest extends FieldRequirement {
  matches(object: ApiObject): boolean;
}

function createFieldTest(
  { field: requestedField, equal, value }: FieldRequirement,
  resource: Resource,
  selectable: SelectableFields | undefined,
): FieldTest {
  const aliases = selectable?.aliases ?? {};
  const field = Object.hasOwn(aliases, requestedField) ? (aliases[requestedField] as string) : requestedField;
  const read = findReader(field, resource, selectable);
  if (!read) throw badRequest(unsupportedFieldMessage(requestedField, selectable));
  return { field, equal, value, matches: (object) => (read(object) === value) === equal };
}

function findReader(
  field: string,
  { namespaced }: Resource,
  selectable: SelectableFields | undefined,
): ((object: ApiObject) => string) | undefined {
  if (selectable && Object.hasOwn(selectable.fields, field)) return selectable.fields[field];
  if (field === 'metadata.name') return ({ metadata }) => metadata.name ?? '';
  // Cluster-scoped resources without selectable fields accept metadata.namespace too; its value is empty.
  if (field === 'metadata.namespace' && (namespaced || !selectable)) return ({ metadata }) => metadata.namespace ?? '';
  return undefined;
}

function unsupportedFieldMessage(field: string, selectable: SelectableFields | undefined): string {
  if (!selectable) return `${quote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
  return selectable.refusal?.(field) ?? `field label not supported: ${field}`;
}
