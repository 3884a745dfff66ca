import { remembered } from '../../common/remembered.js';

interface MomentProps {
  readonly at: Date;
  /** IANA name. */
  readonly timeZone: string;
}

/** A moment as the clocks of the zone show it; the title tells it in UTC. */
export const Moment = ({ at, timeZone }: MomentProps) => (
  <time dateTime={at.toISOString()} title={at.toISOString()}>
    {formatOf(timeZone).format(at)}
  </time>
);

const formatOf = remembered(
  (timeZone: string) =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
);
