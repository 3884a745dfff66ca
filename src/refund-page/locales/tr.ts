import type { RefundPageMessages } from '../messages.js';

export const tr: RefundPageMessages = {
  title: 'Para iadeniz',
  why: '{merchant} size {amount} iade ediyor. Banka, hangi hesaptan ödeme yaptığınızı bize bildirmedi; lütfen paranın gönderileceği hesabı girin.',
  holder: 'Hesap sahibi',
  iban: 'IBAN',
  once: 'Lütfen bilgilerinizi kontrol edin: sonradan değiştirilemez.',
  send: 'Bu hesaba iade et',
  faults: {
    holder: 'Lütfen hesap sahibinin adını en fazla 70 karakterle girin.',
    iban: 'Bu geçerli bir IBAN değil. Lütfen banka kartınızla veya hesap özetinizle karşılaştırın.',
    unreachable:
      'Bu hesap euro havalesi alamaz. Lütfen SEPA bölgesindeki bir bankanın hesabını girin.',
  },
  entered: {
    title: 'Teşekkürler',
    text: '{amount}, {account} hesabına gönderilecek. En az bir gün süren kontrolün ardından havale genellikle bir ila iki iş günü sürer.',
    warning: 'Bu hesabı siz girmediyseniz lütfen hemen {merchant} ile iletişime geçin.',
  },
  sent: { title: 'İadeniz gönderildi', text: '{amount}, {account} hesabına gönderildi.' },
  ended: {
    title: 'Bu iade sona erdi',
    text: 'Buraya artık hesap girilemez. Hâlâ para bekliyorsanız lütfen {merchant} ile iletişime geçin.',
  },
};
