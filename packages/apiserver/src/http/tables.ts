import { quote } from 'kube-endpoints/internal';
import type { ApiObject } from 'kube-endpoints/port';
import type { ServedResource } from '../registry/catalog.ts';
import { badRequest } from '../store/index.ts';
import type { ListResult } from './call.ts';

export type Include = 'None' | 'Metadata' | 'Object';

export interface TableOptions {
  readonly apiVersion: string;
  readonly include: Include;
  readonly now: Date;
  /** Whether the columns are told; in a watch, only the first table does. */
  readonly columns: boolean;
  readonly textOf: (object: ApiObject) => string;
}

/** Which form of its object each row carries along. @throws ApiError BadRequest */
export function includedObjects(query: URLSearchParams): Include {
  const asked = query.get('includeObject') || 'Metadata';
  if (asked === 'None' || asked === 'Metadata' || asked === 'Object') return asked;
  const why = "must be 'Metadata', 'Object', 'None', or empty";
  throw badRequest(`Unable to convert to Table as requested: includeObject: Invalid value: ${quote(asked)}: ${why}`);
}

/** Objects as `meta.k8s.io`'s Table, in JSON. */
export function tableText(served: ServedResource, { items, metadata }: ListResult, options: TableOptions): string {
  const { apiVersion, columns } = options;
  const rows = items.map((item) => rowText(served, item, options));
  const head = `{"kind":"Table","apiVersion":"${apiVersion}","metadata":${JSON.stringify(metadata)}`;
  return `${head},"columnDefinitions":${columns ? columnsText(served) : 'null'},"rows":[${rows.join(',')}]}`;
}

/** No more of an object than its metadata, in JSON. */
export const partialText = ({ metadata }: ApiObject, apiVersion: string): string =>
  `{"kind":"PartialObjectMetadata","apiVersion":"${apiVersion}","metadata":${JSON.stringify(metadata)}}`;

function rowText(served: ServedResource, object: ApiObject, options: TableOptions): string {
  const conditions = served.rowConditions?.(object) ?? [];
  const said = conditions.length > 0 ? `"conditions":${JSON.stringify(conditions)},` : '';
  return `{"cells":${JSON.stringify(served.cells(object, options.now))},${said}"object":${objectText(object, options)}}`;
}

function objectText(object: ApiObject, { include, apiVersion, textOf }: TableOptions): string {
  if (include === 'Object') return textOf(object);
  // The bookmark that ends the initial events is told whatever the client wants of objects.
  const isEnd = object.metadata.annotations?.['k8s.io/initial-events-end'] === 'true';
  return include === 'Metadata' || isEnd ? partialText(object, apiVersion) : 'null';
}

const columnsText = ({ columns }: ServedResource): string =>
  JSON.stringify(columns.map(({ name, type, format, description = '', priority }) => ({ name, type, format, description, priority })));
