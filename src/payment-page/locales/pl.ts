import type { Messages } from '../messages.js';

export const pl: Messages = {
  testBanner: 'To jest strona testowa. Żadne pieniądze nie są przelewane.',
  order: 'Zamówienie {id}',
  pay: 'Zapłać {amount}',
  payBy: 'Prosimy zapłacić do: {time}',
  timeLeft: 'pozostało {time}',
  fiveMinutes: 'Pozostało 5 minut na zapłatę.',
  oneMinute: 'Pozostała 1 minuta na zapłatę.',
  chooseMethod: 'Jak chcesz zapłacić?',
  continueAtBank: 'Przejdź do banku',
  cancel: 'Anuluj to zamówienie',
  cancelWarning: 'Zamówienie zostanie zamknięte i nie będzie można go już opłacić.',
  cancelYes: 'Tak, anuluj zamówienie',
  back: 'Wróć do sklepu {merchant}',
  leaving: 'Powrót do {merchant} za {seconds} s.',
  stay: 'Zostań na tej stronie',
  questions: 'Pytania? {contact}',
  progress: 'Postęp',
  steps: ['Płatność', 'Bank potwierdza', 'Gotowe'],
  language: 'Język',
  states: {
    open: {
      title: 'Twoja płatność',
      happened: '',
      next: 'W następnym kroku potwierdzisz płatność w swoim banku.',
    },
    processing: {
      title: 'Czekamy na Twoją płatność',
      happened: 'Płatność została rozpoczęta, ale nie jest jeszcze potwierdzona.',
      next: 'Potwierdź ją w swoim banku. Jeśli to już zrobione, wystarczy chwilę poczekać: ta strona odświeża się sama.',
    },
    unknown: {
      title: 'Sprawdzamy Twoją płatność',
      happened: 'Nie mamy jeszcze jednoznacznej odpowiedzi z banku.',
      next: 'Prosimy nie płacić ponownie. Ta strona odświeża się sama i można ją bezpiecznie zamknąć.',
    },
    paid: {
      title: 'Zapłacono',
      happened: 'Dziękujemy! Twoja płatność dotarła.',
      next: 'Sklep {merchant} już o tym wie. Możesz zamknąć tę stronę.',
    },
    overpaid: {
      title: 'Zapłacono więcej, niż trzeba',
      happened: 'Dziękujemy! Otrzymaliśmy {received}, a zamówienie kosztowało {amount}.',
      next: 'Sklep {merchant} wie o różnicy. Skontaktuj się z nim, aby ją odzyskać.',
    },
    underpaid: {
      title: 'Brakuje części kwoty',
      happened: 'Otrzymaliśmy {received} z {amount}. Dziękujemy!',
      next: 'Aby dokończyć zamówienie, zapłać pozostałe {due}.',
    },
    paid_late: {
      title: 'Twoje pieniądze dotarły',
      happened: 'Otrzymaliśmy Twoją płatność, ale to zamówienie jest już zamknięte.',
      next: 'Sklep {merchant} już o tym wie. Prosimy nie płacić ponownie i ustalić z nim, co dalej.',
    },
    declined: {
      title: 'Płatność się nie powiodła',
      happened: 'Nie pobrano żadnych pieniędzy.',
      next: 'Możesz spróbować ponownie lub zapłacić z innego konta.',
    },
    failed: {
      title: 'Płatność się nie powiodła',
      happened: 'Nie pobrano żadnych pieniędzy, a kolejna próba nie jest możliwa.',
      next: 'Złóż nowe zamówienie w sklepie {merchant} lub poproś tam o pomoc.',
    },
    cancelled: {
      title: 'Zamówienie anulowane',
      happened: 'To zamówienie zostało anulowane. Nie pobrano żadnych pieniędzy.',
      next: 'Jeśli nadal chcesz kupić, złóż nowe zamówienie w sklepie {merchant}.',
    },
    expired: {
      title: 'Czas na zapłatę minął',
      happened: 'To zamówienie nie zostało opłacone w terminie. Nie pobrano żadnych pieniędzy.',
      next: 'Jeśli nadal chcesz kupić, złóż nowe zamówienie w sklepie {merchant}.',
    },
  },
  declines: {
    insufficient_funds: 'Na koncie brakuje środków na tę płatność.',
    limit_exceeded: 'Płatność przekracza limit konta.',
    account_blocked: 'Konto lub karta są zablokowane.',
    authentication_failed: 'Nie udało się potwierdzić płatności.',
    cancelled_by_payer: 'Płatność została anulowana w banku.',
    timeout: 'Bank nie odpowiedział na czas.',
    declined: 'Bank odrzucił płatność.',
  },
  pages: {
    not_found: {
      title: 'Nie znaleziono strony',
      text: 'Pod tym adresem nie ma strony płatności. Sprawdź link lub otwórz go ponownie ze sklepu.',
    },
    unavailable: {
      title: 'Spróbuj ponownie za chwilę',
      text: 'Nie można teraz wyświetlić strony płatności. Jeśli płatność została już wykonana, prosimy nie płacić ponownie.',
    },
    too_many_requests: {
      title: 'Chwileczkę',
      text: 'Z Twojego połączenia przyszło zbyt wiele zapytań. Odczekaj minutę i załaduj stronę ponownie.',
    },
  },
};
