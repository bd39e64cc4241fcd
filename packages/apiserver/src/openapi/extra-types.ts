import type { ApiType } from '../resources/index.ts';
import { parseTypes } from '../resources/schema/parse.ts';

/**
 * Types that requests and answers have, but no resource: what is sent to subresources, statuses. Those without fields are those of
 * the tables of resources.
 */
export const extraTypes = (): ReadonlyMap<string, ApiType> => parseTypes(table);

const table = `
authentication.BoundObjectReference kind?:string apiVersion?:string name?:string uid?:types.UID
authentication.TokenRequest kind?:string apiVersion?:string metadata?:meta.ObjectMeta spec:authentication.TokenRequestSpec status?:authentication.TokenRequestStatus
authentication.TokenRequestSpec audiences:[]string expirationSeconds?:*int64 boundObjectRef?:*authentication.BoundObjectReference
authentication.TokenRequestStatus token:string expirationTimestamp:meta.Time
autoscaling.Scale kind?:string apiVersion?:string metadata?:meta.ObjectMeta spec?:autoscaling.ScaleSpec status?:autoscaling.ScaleStatus
autoscaling.ScaleSpec replicas?:int32
autoscaling.ScaleStatus replicas:int32 selector?:string
meta.DeleteOptions
meta.ListMeta selfLink?:string resourceVersion?:string continue?:string remainingItemCount?:*int64
meta.ObjectMeta
meta.Status kind?:string apiVersion?:string metadata?:meta.ListMeta status?:string message?:string reason?:string details?:*meta.StatusDetails code?:int32
meta.StatusCause reason?:string message?:string field?:string
meta.StatusDetails name?:string group?:string kind?:string uid?:types.UID causes?:[]meta.StatusCause retryAfterSeconds?:int32
policy.Eviction kind?:string apiVersion?:string metadata?:meta.ObjectMeta deleteOptions?:*meta.DeleteOptions
types.UID=string
`;
