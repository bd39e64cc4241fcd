/** The first line of a recording. */
export interface Header {
  readonly module: string;
  readonly version: string;
  /** The objects that exist in all tests. */
  readonly objects: readonly Manifest[];
}

export interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly namespace?: string; readonly name: string };
}

/** A test, and the objects of its manifests. */
export interface ConformanceTest {
  readonly test: string;
  /** The source file, in the folder "tests" of the module. */
  readonly file: string;
  readonly objects: readonly Manifest[];
  readonly steps: readonly Step[];
}

/** A request, a condition that a route has, or a change of the objects. */
export interface Step {
  /** In the source file. */
  readonly line: number;
  readonly request?: RecordedRequest;
  readonly condition?: RecordedCondition;
  readonly apply?: readonly Manifest[];
  readonly delete?: Manifest;
}

export interface RecordedCondition {
  /** For example "HTTPRoute namespace/name". */
  readonly route: string;
  readonly parent: string;
  readonly type: string;
  readonly status: string;
  readonly reason: string;
}

/** A request as the test makes it. */
export interface RecordedRequest {
  /** The function that makes the request and checks the response, for example "http.MakeRequestAndExpectFailure". */
  readonly function: string;
  /** "namespace/name". */
  readonly gateway: string;
  readonly listener?: string;
  readonly port?: number;
  readonly sni?: string;
  readonly isTLS?: true;
  /** The fields of ExpectedResponse of the packages http, grpc, tcp and udp, as far as the test sets them. */
  readonly expected?: ExpectedResponse;
  /** The expected share of each Service. */
  readonly weights?: Readonly<Record<string, number>>;
}

type Headers = Readonly<Record<string, string>>;

export interface ExpectedResponse {
  readonly Request?: { readonly Host?: string; readonly Path?: string; readonly Method?: string; readonly Headers?: Headers };
  readonly ExpectedRequest?: {
    readonly Request?: { readonly Host?: string; readonly Path?: string; readonly Headers?: Headers };
    readonly Host?: string;
    readonly Path?: string;
    readonly Headers?: Headers;
    readonly AbsentHeaders?: readonly string[];
  };
  readonly Response?: { readonly StatusCode?: number; readonly StatusCodes?: readonly number[]; readonly Code?: string };
  readonly RedirectRequest?: { readonly Scheme?: string; readonly Host?: string; readonly Port?: string; readonly Path?: string };
  readonly Backend?: string;
  readonly Service?: string;
  readonly Namespace?: string;
  readonly MirroredTo?: readonly { readonly Name?: string; readonly Namespace?: string; readonly Percent?: number }[];
  readonly EchoRequest?: object;
  readonly EchoTwoRequest?: object;
  readonly EchoThreeRequest?: object;
  readonly RequestMetadata?: { readonly Authority?: string; readonly Metadata?: Headers };
  readonly Hostname?: string;
}
