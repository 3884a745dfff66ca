import { beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Doctor } from '../src/database/doctor/doctor.js';
import type { BankFileFormat } from '../src/database/payouts/payout-file.entity.js';
import { PayoutFilesService } from '../src/payouts/payout-files.service.js';
import { Cashier, IBANS, paidOrder, PAYS } from './support/payouts.js';
import { openShop } from './support/shop.js';

const { app } = await openShop({ env: PAYS });

/** Files that do not pay what their payouts say. */
async function unsound(): Promise<string[]> {
  const { findings } = await app.get(Doctor).examine({ overdue: false });
  const finding = findings.find(({ fact }) => fact.name === 'payout-file-content');
  return finding!.violations.map(({ subject }) => subject);
}

describe('what a file for the bank says is what its payouts say', () => {
  let cashiers: Cashier[];

  beforeAll(async () => {
    cashiers = [];
    for (const iban of IBANS.slice(0, 2)) {
      cashiers.push(await Cashier.of(app, await app.merchant(), iban));
    }
  });

  const FORMS: readonly (readonly [BankFileFormat, string])[] = [
    ['pain.001.001.09', 'EUR'],
    ['pain.001.001.03', 'EUR'],
    ['pain.001.001.09', 'USD'],
    ['pain.001.001.03', 'JPY'],
    ['pain.001.001.09', 'KWD'],
  ];

  it.each(FORMS)('as %s in %s', async (format, currency) => {
    for (const [n, cashier] of cashiers.entries()) {
      await paidOrder(cashier.shop, 1_234_567, { currency });
      for (const amount of [5 + n, 1_200_000]) {
        await cashier.approve(await cashier.request(amount, currency));
      }
    }
    const request = { mode: 'test', currency, format } as const;
    const file = await app.get(PayoutFilesService).export(request, cashiers[0]!.operator.id);
    expect(file.payouts).toBe(4);
    expect(await unsound()).toEqual([]);
  });

  it('whatever bank the paying account is at', async () => {
    await app.get(DataSource).transaction(async (tx) => {
      await tx.query(`SET LOCAL session_replication_role = 'replica'`);
      await tx.query(`UPDATE payout_files SET content = replace(content,
        '<Othr><Id>NOTPROVIDED</Id></Othr>', CASE format WHEN 'pain.001.001.09'
          THEN '<BICFI>COBADEFFXXX</BICFI>' ELSE '<BIC>COBADEFFXXX</BIC>' END)`);
    });
    expect(await unsound()).toEqual([]);
  });
});
