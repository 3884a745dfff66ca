import type { MailMessages } from '../messages.js';

export const he: MailMessages = {
  testMode: 'מצב בדיקה: לא הועבר כסף.',
  paid: {
    title: 'התקבל תשלום',
    text: 'הזמנה אצל {merchant} שולמה.',
    subject: 'התקבלו {amount} עבור הזמנה {order}',
    order: 'הזמנה',
    txid: 'עסקה',
    amount: 'סכום',
    received: 'התקבל',
    method: 'אמצעי תשלום',
    payer: 'משלם',
    account: 'חשבון',
    time: 'מועד התשלום',
    description: 'תיאור',
    fields: 'מהחנות שלך',
    exceptions: {
      underpaid: 'התקבל פחות כסף מסכום ההזמנה.',
      overpaid: 'התקבל יותר כסף מסכום ההזמנה. נא להחזיר את ההפרש למשלם.',
      paid_late: 'הכסף התקבל לאחר שההזמנה נסגרה. נא לבדוק את ההזמנה.',
      duplicate_payment: 'ההזמנה שולמה יותר מפעם אחת. נא להחזיר את העודף למשלם.',
      wrong_currency: 'הכסף התקבל במטבע אחר. נא לבדוק את ההזמנה.',
      charged_back: 'הבנק של המשלם משך את הכסף בחזרה. יש לבדוק את ההזמנה.',
    },
  },
  confirm: {
    title: 'לקבל את ההודעות האלה?',
    text: '{merchant} מבקש לעדכן את {email} על כל הזמנה ששולמה.',
    subject: 'נא לאשר: הודעות על הזמנות אצל {merchant}',
    otherwise: 'אם לא ציפית לכך, אין צורך לעשות דבר: לא תישלח הודעה נוספת.',
    button: 'לצפייה ואישור',
    why: 'ההודעה נשלחה משום ש־{merchant} הזין את הכתובת {email}.',
  },
  sample: {
    title: 'ההודעות שלך מגיעות',
    text: 'הודעות על הזמנות ששולמו אצל {merchant} יגיעו אליך כמו הודעה זו.',
    subject: 'הודעת בדיקה מאת {merchant}',
  },
  endpoint: {
    address: 'כתובת ה־webhook',
    since: 'נכשל מאז',
    failing: {
      hour: 'שליחת webhooks נכשלת כבר שעה',
      day: 'שליחת webhooks נכשלת כבר יממה',
      text: 'כתובת webhook של {merchant} אינה מקבלת אירועים.',
      next: 'אנחנו ממשיכים לנסות. אחרי חמישה ימים ללא הצלחה הכתובת תושבת.',
    },
    disabled: {
      title: 'כתובת webhook הושבתה',
      text: 'הכתובת הזו של {merchant} לא קיבלה אירועים כבר ימים, ולכן לא נשלח אליה עוד דבר.',
      gone: 'הכתובת הזו של {merchant} השיבה שאינה קיימת עוד, ולכן לא נשלח אליה עוד דבר.',
      next: 'שום אירוע לא אבד: כשהכתובת תפעל, יש להפעיל אותה מחדש ולבקש שליחה חוזרת של האירועים החסרים.',
    },
  },
  why: 'ההודעה נשלחה אליך משום ש־{email} אושר לקבלת הודעות על הזמנות אצל {merchant}.',
  unsubscribe: 'הסרה מרשימת התפוצה',
  pages: {
    unconfirmed: {
      title: 'לקבל את ההודעות האלה?',
      text: '{merchant} מבקש לעדכן את {email} על כל הזמנה ששולמה.',
      confirm: 'כן, נא לשלוח',
      decline: 'לא, תודה',
    },
    confirmed: {
      title: 'ההודעות מופעלות',
      text: '{email} מקבל הודעה על כל הזמנה ששולמה אצל {merchant}.',
      unsubscribe: 'להפסיק את ההודעות',
    },
    unsubscribed: {
      title: 'ההודעות כבויות',
      text: '{email} אינו מקבל עוד הודעות על הזמנות אצל {merchant}.',
      confirm: 'להפעיל מחדש',
    },
    not_found: {
      title: 'הדף לא נמצא',
      text: 'אין דבר בכתובת הזו. ייתכן שהקישור התיישן.',
    },
    unavailable: {
      title: 'נא לנסות שוב בעוד רגע',
      text: 'לא ניתן להציג את הדף כרגע.',
    },
    too_many_requests: {
      title: 'רגע אחד, בבקשה',
      text: 'הגיעו יותר מדי בקשות מהחיבור שלך. נא להמתין דקה ולנסות שוב.',
    },
  },
};
