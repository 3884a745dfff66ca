import { dateFormats } from '../../common/date-formats.js';

interface MomentProps {
  readonly at: Date;
  /** IANA name. */
  readonly timeZone: string;
}

/** A moment as the clocks of the zone show it; the title tells it in UTC. */
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
