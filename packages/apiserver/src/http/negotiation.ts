import type { ApiError } from 'kube-endpoints/port';
import { failure } from '../store/errors.ts';

/** What is answered, and how it is written. */
export interface Output {
  readonly format: 'json' | 'yaml';
  readonly pretty: boolean;
  /** Another form of the object than its own, of meta.k8s.io. */
  readonly as?: { readonly kind: Transformed; readonly version: string };
}

type Transformed = 'PartialObjectMetadata' | 'PartialObjectMetadataList' | 'Table';

/** What comes of an Accept header. */
export interface Accepted {
  /** Whether any of what the server is able to write is named at all; beside that, how is a finer question. */
  readonly known: boolean;
  /** Undefined where nothing of it is possible. */
  readonly output: Output | undefined;
  /** How errors are written. */
  readonly forErrors: Output;
}

/** What the real server names; of these, protobuf is read, not written. */
export const mediaTypes: readonly string[] = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
const streamTypes: readonly string[] = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];

/**
 * Says what an Accept header asks for.
 *
 * Mirrors NegotiateMediaTypeOptions (1.36, apiserver/pkg/endpoints/handlers/negotiation/negotiate.go) and, for `known`, the
 * look at it that the real server's router takes before.
 */
export function acceptedBy(header: string | undefined): Accepted {
  if (!header) return { known: true, output: plain, forErrors: plain };
  const clauses = readAccept(header);
  const known = clauses.some(({ type }) => type === '*/*' || mediaTypes.includes(type));
  return { known, output: firstOf(clauses, outputOf), forErrors: firstOf(clauses, errorOutputOf) ?? indented };
}

/** The media type of a Content-Type; undefined where its parameters cannot be read. Mirrors Go's mime.ParseMediaType. */
export function mediaTypeOf(contentType: string): string | undefined {
  const [type = ''] = contentType.split(';', 1);
  const rest = contentType.slice(type.length);
  const names = [...rest.matchAll(parameter)].map(([, name = '']) => name.toLowerCase());
  const isWhole = rest.replace(parameter, '').replace(/^\s*;?\s*$/, '') === '';
  return isWhole && new Set(names).size === names.length ? type.trim().toLowerCase() : undefined;
}

const parameter = /\s*;\s*([!#$%&'*+.^_`|~\w-]+)=(?:[!#$%&'*+.^_`|~\w-]+|"(?:[^"\\]|\\.)*")/g;

export const notAcceptable = (message: string, details?: object): ApiError => failure(406, 'NotAcceptable', message, details);

/** Before anything of the request is looked at. */
export const unknownRepresentation = (isList: boolean): ApiError =>
  notAcceptable(`406: Not Acceptable\n\nAvailable representations: ${[...mediaTypes, ...(isList ? streamTypes : [])].join(', ')}`, {});

export const noAcceptableOutput = (streaming = false): ApiError =>
  notAcceptable(`only the following media types are accepted: ${(streaming ? streamTypes : mediaTypes).join(', ')}`);

/** @param accepted the types that would have been fine */
export const unsupportedMediaType = (accepted: readonly string[] = mediaTypes): ApiError =>
  failure(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );

/** The same in the words of the real server's router. */
export const unsupportedPatchType = (): ApiError => failure(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});

const plain: Output = { format: 'json', pretty: false };
const indented: Output = { format: 'json', pretty: true };

function firstOf(
  clauses: readonly Clause[],
  outputOfClause: (clause: Clause, format: Output['format']) => Output | undefined,
): Output | undefined {
  for (const clause of clauses) {
    for (const format of formats) {
      const output = matches(clause, `application/${format}`) ? outputOfClause(clause, format) : undefined;
      if (output) return output;
    }
  }
  return undefined;
}

const formats = ['json', 'yaml'] as const;

function outputOf({ parameters }: Clause, format: Output['format']): Output | undefined {
  const stream = parameters.get('stream') ?? '';
  if (stream !== '' && (format !== 'json' || stream !== 'watch')) return undefined;
  if ((parameters.get('sv') || 'v1') !== 'v1') return undefined;
  const pretty = parameters.get('pretty') === '1';
  if (!transforms(parameters)) return { format, pretty };
  const kind = parameters.get('as') as Transformed;
  const version = parameters.get('v') ?? '';
  const exists = parameters.get('g') === 'meta.k8s.io' && versions.includes(version) && transformed.includes(kind);
  return exists ? { format, pretty, as: { kind, version } } : undefined;
}

function errorOutputOf(clause: Clause, format: Output['format']): Output | undefined {
  return transforms(clause.parameters) || clause.parameters.get('sv') ? undefined : outputOf(clause, format);
}

const versions: readonly string[] = ['v1', 'v1beta1'];
const transformed: readonly string[] = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'] satisfies Transformed[];

/** A media type that a client takes, with its parameters. */
export interface Clause {
  /** "application/json", "*\/*". */
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * The clauses of an Accept header, the preferred ones first, those with an asterisk last among equals. Mirrors ParseAccept
 * (github.com/munnerz/goautoneg), to which a quality that is no number is none.
 */
export function readAccept(header: string | undefined): readonly Clause[] {
  if (!header) return [{ type: '*/*', parameters: new Map() }];
  const clauses = header.split(',').map((text) => {
    const [type = '', ...rest] = text.split(';');
    const parameters = new Map<string, string>();
    for (const each of rest) {
      const at = each.indexOf('=');
      if (at >= 0) parameters.set(each.slice(0, at).trim(), each.slice(at + 1).trim());
    }
    const quality = Number(parameters.get('q') ?? 1);
    return { type: type.trim(), parameters, quality: Number.isNaN(quality) ? 0 : quality };
  });
  return clauses.sort((a, b) => b.quality - a.quality || asterisks(a) - asterisks(b));
}

const asterisks = ({ type }: Clause): number => (type.startsWith('*') ? 2 : type.endsWith('*') ? 1 : 0);

/** Whether a clause takes a media type. */
export const matches = ({ type }: Clause, mediaType: string): boolean =>
  type === mediaType || type === '*/*' || (type.endsWith('/*') && mediaType.startsWith(type.slice(0, -1)));

/** Whether objects are wanted in another form than their own. */
export const transforms = (parameters: ReadonlyMap<string, string>): boolean => ['as', 'g', 'v'].some((name) => parameters.has(name));

/**
 * Whether to indent: where it is asked for, or where people are likely to read it. Mirrors isPrettyPrint (1.36,
 * apiserver/pkg/endpoints/handlers/negotiation/negotiate.go).
 */
export function wantsPretty(query: URLSearchParams, userAgent = ''): boolean {
  const asked = query.size === 0 ? '' : query.get('pretty');
  return asked ? trueTexts.includes(asked) : browsers.some((browser) => userAgent.startsWith(browser));
}

/** What Go's ParseBool takes for true. */
const trueTexts: readonly string[] = ['1', 't', 'T', 'TRUE', 'true', 'True'];
const browsers: readonly string[] = ['curl', 'Wget', 'Mozilla/5.0'];
