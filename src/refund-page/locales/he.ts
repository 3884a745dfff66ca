import type { RefundPageMessages } from '../messages.js';

export const he: RefundPageMessages = {
  title: 'ההחזר שלך',
  why: '{merchant} מחזיר לך {amount}. הבנק לא מסר לנו מאיזה חשבון שילמת, לכן יש להזין לאן לשלוח את הכסף.',
  holder: 'בעל החשבון',
  iban: 'IBAN',
  once: 'נא לבדוק את הפרטים: לא ניתן לשנות אותם לאחר מכן.',
  send: 'החזר לחשבון הזה',
  faults: {
    holder: 'נא להזין את שם בעל החשבון, עד 70 תווים.',
    iban: 'מספר ה-IBAN אינו תקין. נא להשוות אותו לכרטיס הבנק או לדף החשבון.',
    unreachable: 'החשבון הזה אינו יכול לקבל העברות באירו. נא להזין חשבון בבנק באזור SEPA.',
  },
  entered: {
    title: 'תודה',
    text: '{amount} יועברו לחשבון {account}. לאחר בדיקה של יום אחד לפחות, ההעברה נמשכת בדרך כלל יום עד שני ימי עסקים.',
    warning: 'אם לא הזנת את החשבון הזה, יש לפנות מיד אל {merchant}.',
  },
  sent: { title: 'ההחזר נשלח', text: '{amount} נשלחו לחשבון {account}.' },
  ended: {
    title: 'ההחזר הזה הסתיים',
    text: 'לא ניתן עוד להזין כאן חשבון. אם הכסף עדיין לא הגיע, יש לפנות אל {merchant}.',
  },
};
