const FORMATS_MAX = 1_000;
const formats = new Map<string, Intl.DateTimeFormat>();

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

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  if (formats.size >= FORMATS_MAX) formats.clear();
  formats.set(timeZone, made);
  return made;
}
