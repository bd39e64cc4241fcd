import { ApiError, type ApiObject, type Status } from 'kube-endpoints/port';

/** Why an object could not be loaded; the message begins with its kind and name. */
export class LoadError extends ApiError {
  /** As it was handed in. */
  readonly object: ApiObject;

  constructor(status: Status, object: ApiObject) {
    super(status);
    this.name = 'LoadError';
    this.object = object;
  }
}
