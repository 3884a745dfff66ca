/** Injectable clock: rules that depend on the time use it instead of `new Date()`. */
export abstract class Clock {
  abstract now(): Date;
}

export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }
}
