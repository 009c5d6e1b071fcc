// libedit, by the functions that the line editor uses of GNU readline (Sources/CReadline/shim.h): the trait `Libedit`
// links it in place of readline. Only the editor's thread may call them.
//
// libedit's own imitation of readline keeps its `EditLine` to itself, and with it the cursor, the size of the window and
// the redrawing; so these functions stand on libedit's own interface, histedit.h. Each key is read by the program and
// handed over whole: libedit never reads the terminal, and never waits.
#ifndef CEDITLINE_H
#define CEDITLINE_H

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CREADLINE_CAN_PAINT 1

typedef int rl_command_func_t(int, int);
typedef void rl_vcpfunc_t(char *);
typedef void rl_voidfunc_t(void);

typedef int (*creadline_getc_t)(FILE *);
typedef int (*creadline_hook_t)(void);
typedef char **(*creadline_completion_t)(const char *, int, int);
typedef void (*creadline_listing_t)(char **, int, int);

// MARK: What is readline's elsewhere

void ceditline_install(const char *prompt, rl_vcpfunc_t *handler);
void ceditline_remove(void);
void ceditline_read_char(void);
void ceditline_insert(const char *text);
void ceditline_replace(const char *text);
void ceditline_set_prompt(const char *prompt);
void ceditline_redisplay(void);
void ceditline_draw_again(void);
int ceditline_newline(int count, int key);
void ceditline_stifle_history(int size);
void ceditline_add_history(const char *line);
void ceditline_clear_history(void);

static inline void rl_callback_handler_install(const char *prompt, rl_vcpfunc_t *handler) {
  ceditline_install(prompt, handler);
}
static inline void rl_callback_handler_remove(void) { ceditline_remove(); }
static inline void rl_callback_read_char(void) { ceditline_read_char(); }
static inline int rl_insert_text(const char *text) {
  ceditline_insert(text);
  return 0;
}
static inline void rl_replace_line(const char *text, int clears) { ceditline_replace(text); }
static inline int rl_set_prompt(const char *prompt) {
  ceditline_set_prompt(prompt);
  return 0;
}
static inline void rl_redisplay(void) { ceditline_redisplay(); }
static inline int rl_forced_update_display(void) {
  ceditline_draw_again();
  return 0;
}
static inline int rl_newline(int count, int key) { return ceditline_newline(count, key); }
static inline int rl_initialize(void) { return 0; }
// Settings are readline's; libedit has none of these.
static inline int rl_variable_bind(const char *name, const char *value) { return 0; }
static inline void using_history(void) {}
static inline void stifle_history(int size) { ceditline_stifle_history(size); }
static inline void add_history(const char *line) { ceditline_add_history(line); }
static inline void clear_history(void) { ceditline_clear_history(); }

// MARK: The shim's

void creadline_set_hooks(
    creadline_hook_t start, creadline_getc_t getc, creadline_hook_t available,
    creadline_completion_t complete, creadline_listing_t list);
void creadline_bind_pages(rl_command_func_t *up, rl_command_func_t *down);
void creadline_bind_paste_keys(rl_command_func_t *mark, rl_command_func_t *enter);
void creadline_set_redisplay(rl_voidfunc_t *redisplay);
void creadline_draw(char *text, int length, int point);
int creadline_open_output(int descriptor);
void creadline_close_output(void);
void creadline_write(const void *bytes, size_t count);
void creadline_flush(void);
int creadline_end(void);
int creadline_point(void);
void creadline_set_point(int point);
const char *creadline_buffer(void);
int creadline_width(const char *text);
void creadline_list(char **candidates, int count, int width);
void creadline_clear_visible_line(void);
void creadline_abandon_line(void);
void creadline_set_screen_size(int rows, int columns);
int creadline_has_cleared_screen(void);
int creadline_handle_signal(int number, void (*handler)(int), int once, struct sigaction *old);
int creadline_is_default(const struct sigaction *action);

static inline void creadline_move_to_end(void) { creadline_set_point(creadline_end()); }
static inline int rl_crlf(void) {
  creadline_write("\r\n", 2);
  return 0;
}
static inline int rl_on_new_line(void) { return 0; }
// libedit has none of the keys that these keep from readline.
static inline int creadline_must_not_see(unsigned char key) { return 0; }
static inline void creadline_unbind_traps(void) {}
static inline int creadline_wants_paste_marks(void) { return 1; }
static inline int creadline_shows_message(void) { return 0; }
static inline void creadline_leave_completion_to_program(void) {}
static inline void creadline_free(void *pointer) { free(pointer); }
static inline char *creadline_copy(const char *text) { return strdup(text); }
static inline void *creadline_allocate(size_t size) { return malloc(size); }

#endif
