import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CURRENCY_CODES } from '../../common/money/currencies.js';
import { AMOUNT_MAX } from '../../common/money/money.js';
import { addDays, startOfDay } from '../../common/time/time-zone.js';
import { EXCEPTION_FILTERS, ORDER_STATUSES } from '../../database/orders/order.entity.js';
import { DATE_PRESETS } from './date-presets.js';
import { type OrderFilter, NO_FILTER, parseFilter, toQuery } from './order-filter.js';

const BERLIN = 'Europe/Berlin';
const NOW = new Date('2026-11-20T22:30:00Z');

const PAYOUT = '019aa2f0-7c00-7000-8000-0123456789ab';
const EVERYTHING: OrderFilter = { ...NO_FILTER, payerSight: 'full' };

const OWNER = { timeZone: BERLIN, role: 'owner', visibility: 'full' } as const;

const parse = (query: string, timeZone: string = BERLIN) =>
  parseFilter(new URLSearchParams(query), { ...OWNER, timeZone }, NOW);

/** The filter of a link in which nothing is wrong. */
function filterOf(query: string, timeZone = BERLIN): OrderFilter {
  const { filter, problems } = parse(query, timeZone);
  expect(problems).toEqual([]);
  return filter;
}

const daysOf = ({ from, until }: OrderFilter) => [from?.toISOString(), until?.toISOString()];

describe(parseFilter.name, () => {
  it('shows everything when nothing is asked for', () => {
    expect(parse('')).toEqual({ filter: EVERYTHING, preset: null, problems: [] });
    expect(filterOf('q=&from=&status=&preset=+&currency=&page=2')).toEqual(EVERYTHING);
  });

  it('reads every parameter', () => {
    const query =
      'basis=paid&from=2026-11-01&to=2026-11-20&status=paid&status=open,failed&currency=eur' +
      '&amountFrom=10&amountTo=89,90&provider=bank-transfer&exception=only&field=colour%3Dred' +
      `&payout=${PAYOUT.toUpperCase()}&q=++erika+`;
    expect(filterOf(query)).toEqual({
      ...NO_FILTER,
      basis: 'paid',
      from: new Date('2026-10-31T23:00:00Z'),
      until: new Date('2026-11-20T23:00:00Z'),
      statuses: ['open', 'paid', 'failed'],
      currency: 'EUR',
      amountFrom: 1000,
      amountTo: 8990,
      provider: 'bank-transfer',
      exception: 'only',
      field: { name: 'colour', value: 'red' },
      payout: PAYOUT,
      search: 'erika',
      payerSight: 'full',
    });
  });

  it.each([
    ['today', '2026-11-19T23:00:00.000Z', '2026-11-20T23:00:00.000Z'],
    ['yesterday', '2026-11-18T23:00:00.000Z', '2026-11-19T23:00:00.000Z'],
    ['7d', '2026-11-13T23:00:00.000Z', '2026-11-20T23:00:00.000Z'],
    ['30d', '2026-10-21T22:00:00.000Z', '2026-11-20T23:00:00.000Z'],
    ['90d', '2026-08-22T22:00:00.000Z', '2026-11-20T23:00:00.000Z'],
    ['month', '2026-10-31T23:00:00.000Z', '2026-11-20T23:00:00.000Z'],
    ['last-month', '2026-09-30T22:00:00.000Z', '2026-10-31T23:00:00.000Z'],
    ['year', '2025-12-31T23:00:00.000Z', '2026-11-20T23:00:00.000Z'],
  ])('knows the days of %s', (preset, from, until) => {
    expect(daysOf(filterOf(`preset=${preset}`))).toEqual([from, until]);
    expect(parse(`preset=${preset}`).preset).toBe(preset);
  });

  it('takes today from the clocks in the zone', () => {
    expect(daysOf(filterOf('preset=today', 'Asia/Tokyo'))[0]).toBe('2026-11-20T15:00:00.000Z');
    expect(daysOf(filterOf('preset=today', 'America/Sao_Paulo'))[0]).toBe(
      '2026-11-20T03:00:00.000Z',
    );
  });

  it('gives days of 23 and 25 hours their length', () => {
    expect(daysOf(filterOf('from=2026-03-29&to=2026-03-29'))).toEqual([
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ]);
    expect(daysOf(filterOf('from=2018-02-17&to=2018-02-17', 'America/Sao_Paulo'))).toEqual([
      '2018-02-17T02:00:00.000Z',
      '2018-02-18T03:00:00.000Z',
    ]);
  });

  it.each([
    ['basis=sent', 'basis'],
    ['preset=8d', 'preset'],
    ['preset=7d&to=2026-11-20', 'preset'],
    ['from=2026-02-29', 'from'],
    ['to=yesterday', 'to'],
    ['from=2026-11-20&to=2026-11-19', 'to'],
    ['status=paid,lost', 'status'],
    ['currency=DEM', 'currency'],
    ['amountFrom=10', 'amountFrom'],
    ['currency=EUR&amountTo=ten', 'amountTo'],
    ['currency=EUR&amountTo=-1', 'amountTo'],
    ['currency=JPY&amountFrom=89.90', 'amountFrom'],
    ['currency=EUR&amountFrom=9999999999', 'amountFrom'],
    ['currency=EUR&amountFrom=10&amountTo=9.99', 'amountTo'],
    ['provider=Sand box', 'provider'],
    ['exception=none', 'exception'],
    ['field=colour', 'field'],
    ['field==red', 'field'],
    [`field=${'n'.repeat(41)}=red`, 'field'],
    [`field=n=${'v'.repeat(256)}`, 'field'],
    [`payout=${PAYOUT}0`, 'payout'],
    [`q=${'x'.repeat(141)}`, 'q'],
    ['q=a%00b', 'q'],
  ])('tells what is wrong with %s', (query, name) => {
    const { problems } = parse(query);
    expect(problems).toEqual([{ name, text: expect.stringMatching(/^[A-Z].*\.$/) }]);
  });

  it('keeps what is right beside what is wrong', () => {
    const { filter, problems } = parse('status=lost,paid&provider=?&q=erika');
    expect(filter).toEqual({ ...EVERYTHING, statuses: ['paid'], search: 'erika' });
    expect(problems.map(({ name }) => name)).toEqual(['status', 'provider']);
  });

  it('takes every status together for none', () => {
    expect(filterOf(`status=${ORDER_STATUSES.join(',')}`)).toEqual(EVERYTHING);
  });

  it('searches payers as far as the reader knows them, and payouts if at all', () => {
    const query = new URLSearchParams({ q: 'erika', payout: PAYOUT });
    const developer = { ...OWNER, role: 'developer', visibility: 'none' } as const;
    const { filter, problems } = parseFilter(query, developer, NOW);
    expect(filter).toMatchObject({ search: 'erika', payerSight: 'none', payout: null });
    expect(problems).toEqual([{ name: 'payout', text: 'Your role does not see payouts.' }]);
    const viewer = { ...OWNER, role: 'viewer', visibility: 'masked' } as const;
    expect(parseFilter(query, viewer, NOW)).toMatchObject({
      filter: { payerSight: 'masked', payout: PAYOUT },
      problems: [],
    });
  });

  it('never fails', () => {
    const name = fc.constantFrom(
      'basis',
      'preset',
      'from',
      'to',
      'status',
      'currency',
      'field',
      'q',
      'amountFrom',
      'amountTo',
      'provider',
      'exception',
      'payout',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('EUR', '1.2.3', '__proto__', '%'),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(name, text)), (pairs) => {
        const { filter } = parseFilter(new URLSearchParams(pairs), OWNER, NOW);
        expect(Object.keys(filter).sort()).toEqual(Object.keys(NO_FILTER).sort());
      }),
    );
  });
});

const day = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays('1990-01-01', days));
const zone = fc.constantFrom(BERLIN, 'America/Sao_Paulo', 'Pacific/Apia', 'UTC', 'Asia/Tehran');
const amount = fc.option(fc.integer({ min: 0, max: AMOUNT_MAX }));
const word = fc.string({ minLength: 1, maxLength: 20 });

const money = fc
  .record({ currency: fc.constantFrom(...CURRENCY_CODES), a: amount, b: amount })
  .map(({ currency, a, b }) => {
    const isTurned = a !== null && b !== null && a > b;
    return { currency, amountFrom: isTurned ? b : a, amountTo: isTurned ? a : b };
  });

const filter = (timeZone: string): fc.Arbitrary<OrderFilter> =>
  fc
    .record({
      basis: fc.constantFrom('created', 'paid'),
      days: fc.tuple(fc.option(day), fc.option(day)),
      statuses: fc.subarray([...ORDER_STATUSES], { maxLength: 5 }),
      money: fc.option(money, { nil: { currency: null, amountFrom: null, amountTo: null } }),
      provider: fc.option(fc.constantFrom('sandbox', 'bank-transfer')),
      exception: fc.option(fc.constantFrom(...EXCEPTION_FILTERS)),
      field: fc.option(
        fc.record({
          name: fc.oneof(word, fc.constantFrom('a=b', '%3D', '%', ' ')),
          value: fc.string(),
        }),
      ),
      payout: fc.option(fc.uuid({ version: 7 })),
      search: fc.option(word.map((text) => text.trim()).filter((text) => text !== '')),
    })
    .map(({ days, money: { currency, amountFrom, amountTo }, ...rest }) => {
      const [first, last] = days.every((each) => each !== null) ? [...days].sort() : days;
      return {
        ...NO_FILTER,
        ...rest,
        payerSight: 'full',
        from: first ? startOfDay(first, timeZone) : null,
        until: last ? startOfDay(addDays(last, 1), timeZone) : null,
        currency,
        amountFrom,
        amountTo,
      } as OrderFilter;
    });

describe(toQuery.name, () => {
  it('writes a link that means the same', () => {
    const both = zone.chain((timeZone) => fc.tuple(fc.constant(timeZone), filter(timeZone)));
    fc.assert(
      fc.property(both, ([timeZone, filter]) => {
        const link = toQuery(filter, timeZone).toString();
        expect(filterOf(link, timeZone)).toEqual(filter);
      }),
    );
  });

  it.each(DATE_PRESETS)('keeps %s as it is, for other days', (preset) => {
    const link = toQuery(filterOf(`preset=${preset}&status=paid`), BERLIN, preset);
    expect(link.toString()).toBe(`preset=${preset}&status=paid`);
  });

  it('writes nothing that says nothing', () => {
    expect(toQuery(NO_FILTER, BERLIN).toString()).toBe('');
  });

  it('writes days, not moments', () => {
    const filter = filterOf('from=2026-03-29&to=2026-10-25');
    expect(toQuery(filter, BERLIN).toString()).toBe('from=2026-03-29&to=2026-10-25');
  });
});
