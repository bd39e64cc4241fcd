import type { ApiError } from 'kube-endpoints/port';
import { failure } from '../store/errors.ts';

export type Format = 'json' | 'yaml' | 'protobuf';

export interface Output {
  readonly format: Format;
  readonly pretty: boolean;
  /** The `meta.k8s.io` representation to convert the object to; absent if the client requests the object itself. */
  readonly transform?: { readonly kind: RepresentationKind; readonly version: string };
}

type RepresentationKind = 'PartialObjectMetadata' | 'PartialObjectMetadataList' | 'Table';

export interface NegotiationResult {
  /** Whether the header names any media type that the server knows, regardless of its parameters. */
  readonly isKnown: boolean;
  /** The format of the answer; undefined if no clause can be satisfied. */
  readonly output: Output | undefined;
  /** The same for a custom resource, which has no protobuf form; only its metadata has. */
  readonly customOutput: Output | undefined;
  /** The format of errors. */
  readonly errorOutput: Output;
}

/** In the order in which a wildcard prefers them. */
export const mediaTypeByFormat: Readonly<Record<Format, string>> = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
};

export const mediaTypes: readonly string[] = Object.values(mediaTypeByFormat);
const streamTypes: readonly string[] = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];

/**
 * Chooses the format of the answer, and of errors, by an Accept header.
 *
 * Mirrors NegotiateMediaTypeOptions (1.36, apiserver/pkg/endpoints/handlers/negotiation/negotiate.go); `isKnown` mirrors the check that the
 * real server's router does first.
 */
export function negotiateOutput(header: string | undefined): NegotiationResult {
  if (!header) return { isKnown: true, output: plainJson, customOutput: plainJson, errorOutput: plainJson };
  const clauses = parseAccept(header);
  return {
    isKnown: clauses.some(({ type }) => type === '*/*' || mediaTypes.includes(type)),
    output: findFirstOutput(clauses, outputOf),
    customOutput: findFirstOutput(clauses, customOutputOf),
    errorOutput: findFirstOutput(clauses, errorOutputOf) ?? indentedJson,
  };
}

/**
 * Parses the media type of a Content-Type. Returns undefined if the parameters are malformed or repeated. Mirrors Go's
 * mime.ParseMediaType.
 */
export function mediaTypeOf(contentType: string): string | undefined {
  const [type = ''] = contentType.split(';', 1);
  const rest = contentType.slice(type.length);
  const names = [...rest.matchAll(parameterPattern)].map(([, name = '']) => name.toLowerCase());
  const isWellFormed = rest.replace(parameterPattern, '').replace(/^\s*;?\s*$/, '') === '';
  return isWellFormed && new Set(names).size === names.length ? type.trim().toLowerCase() : undefined;
}

const parameterPattern = /\s*;\s*([!#$%&'*+.^_`|~\w-]+)=(?:[!#$%&'*+.^_`|~\w-]+|"(?:[^"\\]|\\.)*")/g;

export const createNotAcceptableError = (message: string, details?: object): ApiError => failure(406, 'NotAcceptable', message, details);

/** Creates the error of the real server's router, which checks the Accept header before the rest of the request. */
export const createUnknownRepresentationError = (isList: boolean): ApiError =>
  createNotAcceptableError(
    `406: Not Acceptable\n\nAvailable representations: ${[...mediaTypes, ...(isList ? streamTypes : [])].join(', ')}`,
    {},
  );

export const createNoAcceptableOutputError = (isStream = false): ApiError =>
  createNotAcceptableError(`only the following media types are accepted: ${(isStream ? streamTypes : mediaTypes).join(', ')}`);

/** @param acceptedTypes the media types that the error lists */
export const createUnsupportedMediaTypeError = (acceptedTypes: readonly string[] = mediaTypes): ApiError =>
  failure(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${acceptedTypes.join(', ')}`,
  );

/** Creates the error of the real server's router for a patch with an unsupported Content-Type. */
export const createUnsupportedPatchTypeError = (): ApiError => failure(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});

const plainJson: Output = { format: 'json', pretty: false };
const indentedJson: Output = { format: 'json', pretty: true };

function findFirstOutput(
  clauses: readonly Clause[],
  outputOfClause: (clause: Clause, format: Format) => Output | undefined,
): Output | undefined {
  for (const clause of clauses) {
    for (const format of formats) {
      const output = matchesMediaType(clause, mediaTypeByFormat[format]) ? outputOfClause(clause, format) : undefined;
      if (output) return output;
    }
  }
  return undefined;
}

export const formats: readonly Format[] = ['json', 'yaml', 'protobuf'];

function outputOf({ parameters }: Clause, format: Format): Output | undefined {
  const stream = parameters.get('stream') ?? '';
  if (stream !== '' && (format === 'yaml' || stream !== 'watch')) return undefined;
  if ((parameters.get('sv') || 'v1') !== 'v1') return undefined;
  const pretty = parameters.get('pretty') === '1';
  if (!requestsTransform(parameters)) return { format, pretty };
  const kind = parameters.get('as') as RepresentationKind;
  const version = parameters.get('v') ?? '';
  const isSupported = parameters.get('g') === 'meta.k8s.io' && metaVersions.includes(version) && representationKinds.includes(kind);
  const hasForm = format !== 'protobuf' || kind !== 'Table';
  return isSupported && hasForm ? { format, pretty, transform: { kind, version } } : undefined;
}

function customOutputOf(clause: Clause, format: Format): Output | undefined {
  return format === 'protobuf' && !requestsTransform(clause.parameters) ? undefined : outputOf(clause, format);
}

function errorOutputOf(clause: Clause, format: Format): Output | undefined {
  return requestsTransform(clause.parameters) || clause.parameters.get('sv') ? undefined : outputOf(clause, format);
}

const metaVersions: readonly string[] = ['v1', 'v1beta1'];
const representationKinds: readonly string[] = [
  'Table',
  'PartialObjectMetadata',
  'PartialObjectMetadataList',
] satisfies RepresentationKind[];

/** A media type that a client accepts, with its parameters. */
export interface Clause {
  /** "application/json", "*\/*". */
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Parses the clauses of an Accept header in order of preference. Mirrors ParseAccept (github.com/munnerz/goautoneg), which treats a quality
 * that is not a number as 0.
 */
export function parseAccept(header: string | undefined): readonly Clause[] {
  if (!header) return [{ type: '*/*', parameters: new Map() }];
  const clauses = header.split(',').map((text) => {
    const [type = '', ...rest] = text.split(';');
    const parameters = new Map<string, string>();
    for (const each of rest) {
      const separator = each.indexOf('=');
      if (separator >= 0) parameters.set(each.slice(0, separator).trim(), each.slice(separator + 1).trim());
    }
    const quality = Number(parameters.get('q') ?? 1);
    return { type: type.trim(), parameters, quality: Number.isNaN(quality) ? 0 : quality };
  });
  return sortByPreference(clauses);
}

type ClauseWithQuality = Clause & { readonly quality: number };

/**
 * Sorts in place. A clause moves in front of others of lower quality, and in front of wildcards of any quality. Both can hold for either
 * order of two clauses, so the result depends on the insertion sort that Go uses.
 */
function sortByPreference(clauses: ClauseWithQuality[]): readonly Clause[] {
  for (let i = 1; i < clauses.length; i++) {
    const clause = clauses[i] as ClauseWithQuality;
    let position = i;
    for (; position > 0 && isPreferred(clause, clauses[position - 1] as ClauseWithQuality); position--)
      clauses[position] = clauses[position - 1] as ClauseWithQuality;
    clauses[position] = clause;
  }
  return clauses;
}

const isPreferred = (a: ClauseWithQuality, b: ClauseWithQuality): boolean =>
  a.quality > b.quality || (b.type.startsWith('*') && !a.type.startsWith('*')) || (b.type.endsWith('*') && !a.type.endsWith('*'));

export const matchesMediaType = ({ type }: Clause, mediaType: string): boolean =>
  type === mediaType || type === '*/*' || (type.endsWith('/*') && mediaType.startsWith(type.slice(0, -1)));

/** Whether the parameters ask for a `meta.k8s.io` representation of the object. */
export const requestsTransform = (parameters: ReadonlyMap<string, string>): boolean =>
  ['as', 'g', 'v'].some((name) => parameters.has(name));

/**
 * Whether to indent the answer. The query decides; if it has no `pretty`, the answer is indented for interactive clients such as curl.
 * Mirrors isPrettyPrint (1.36, apiserver/pkg/endpoints/handlers/negotiation/negotiate.go).
 */
export function wantsIndentation(query: URLSearchParams, userAgent = ''): boolean {
  const pretty = query.size === 0 ? '' : query.get('pretty');
  return pretty ? trueTexts.includes(pretty) : interactiveClients.some((browser) => userAgent.startsWith(browser));
}

/** The texts that Go's ParseBool reads as true. */
const trueTexts: readonly string[] = ['1', 't', 'T', 'TRUE', 'true', 'True'];
const interactiveClients: readonly string[] = ['curl', 'Wget', 'Mozilla/5.0'];
