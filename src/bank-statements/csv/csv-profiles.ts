import type { CsvProfile } from './csv-profile.js';

/** Export "CSV-CAMT" of German savings banks. */
const SPARKASSE: CsvProfile = {
  name: 'sparkasse',
  ownAccount: null,
  currency: 'EUR',
  delimiter: ';',
  date: 'DD.MM.YY',
  decimal: ',',
  group: '.',
  columns: {
    bookedOn: 'Buchungstag',
    valuedOn: 'Valutadatum',
    amount: 'Betrag',
    currency: 'Waehrung',
    name: 'Beguenstigter/Zahlungspflichtiger',
    account: 'Kontonummer/IBAN',
    bic: 'BIC (SWIFT-Code)',
    text: ['Verwendungszweck'],
    endToEndId: 'Kundenreferenz (End-to-End)',
    status: 'Info',
  },
  pending: ['vorgemerkt'],
};

/** Balance statement of Wise. */
const WISE: CsvProfile = {
  name: 'wise',
  ownAccount: null,
  delimiter: ',',
  date: 'DD-MM-YYYY',
  decimal: '.',
  group: '',
  columns: {
    bookedOn: 'Date',
    amount: 'Amount',
    currency: 'Currency',
    name: 'Payer Name',
    text: ['Description', 'Payment Reference'],
    bankReference: 'TransferWise ID',
    balance: 'Running Balance',
  },
};

/** Built-in profiles, also as templates for profiles with an own account. */
export const CSV_PROFILES: readonly CsvProfile[] = [SPARKASSE, WISE];
