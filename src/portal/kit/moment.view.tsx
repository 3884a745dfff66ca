import { dateFormats } from '../../common/time/date-formats.js';

interface MomentProps {
  readonly at: Date;
  /** IANA name. */
  readonly timeZone: string;
}

/** A time in the time zone, with UTC as tooltip. */
export const Timestamp = ({ at, timeZone }: MomentProps) => (
  <time dateTime={at.toISOString()} title={at.toISOString()}>
    {formatOf(timeZone).format(at)}
  </time>
);

const formatOf = dateFormats('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
